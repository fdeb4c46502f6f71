"""Watches ConfigMaps through restarts of the server, as a controller does. Prints a line for each thing it learns."""

import time

from kubernetes import client, config, watch
from kubernetes.client.exceptions import ApiException

config.load_kube_config()
core = client.CoreV1Api()


def say(*words):
    print(*words, flush=True)


def look():
    """Lists, then watches until the stream breaks or the version is too old."""
    listed = core.list_namespaced_config_map("default")
    for item in listed.items:
        say("listed", item.metadata.name, item.data)
    version = listed.metadata.resource_version
    say("watching")
    for event in watch.Watch().stream(core.list_namespaced_config_map, "default", resource_version=version):
        item = event["object"]
        say(event["type"], item.metadata.name, item.data)
        if item.metadata.name == "end":
            return True


while True:
    try:
        if look():
            break
    except ApiException as error:
        say("answer", error.status)
    except Exception as error:
        say("broken", type(error).__name__)
        time.sleep(0.2)
