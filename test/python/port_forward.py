"""Reaches ports of a pod. Prints one JSON document."""

import json
import sys

from kubernetes import client, config
from kubernetes.stream import portforward

config.load_kube_config()
core = client.CoreV1Api()


def forward(port):
    return portforward(core.connect_get_namespaced_pod_portforward, "server", "default", ports=str(port))


served = forward(8323)
socket = served.socket(8323)
socket.settimeout(30)
socket.sendall(b"ping")
answer = socket.recv(100).decode()
socket.close()

closed = forward(9)
silent = closed.socket(9)
silent.settimeout(30)
nothing = silent.recv(100).decode()

json.dump({"answer": answer, "nothing": nothing, "error": closed.error(9)}, sys.stdout)
