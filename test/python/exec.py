"""Runs commands in a pod, with the outcome that the server reports. Prints one JSON document."""

import json
import sys

from kubernetes import client, config
from kubernetes.stream import stream

config.load_kube_config()
core = client.CoreV1Api()


def run(*command, **more):
    socket = stream(
        core.connect_get_namespaced_pod_exec,
        "shell",
        "default",
        command=list(command),
        stdin=False,
        stdout=True,
        stderr=True,
        tty=False,
        _preload_content=False,
        **more,
    )
    socket.run_forever(timeout=30)
    return {"out": socket.read_stdout(), "err": socket.read_stderr(), "code": socket.returncode}


json.dump({"fine": run("echo", "hi"), "failed": run("sh", "-c", "echo no >&2; exit 7")}, sys.stdout)
