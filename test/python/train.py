"""What a user of the Python SDK does, from the list of runtimes to the end of the job. Prints one JSON document."""

import json
import sys
import threading

from kubeflow.common.types import KubernetesBackendConfig
from kubeflow.trainer import CustomTrainer, TrainerClient


def train(rate):
    import torch
    import torch.distributed as dist

    dist.init_process_group("gloo")
    rank = dist.get_rank()
    weight = torch.zeros(1, requires_grad=True)
    # each node has another part of the data; only the sum of both gradients leads to 3
    inputs = torch.tensor([float(rank + 1)])
    targets = 3 * inputs
    for _ in range(60):
        loss = ((weight * inputs - targets) ** 2).sum()
        loss.backward()
        dist.all_reduce(weight.grad)
        with torch.no_grad():
            weight -= rate * weight.grad
            weight.grad.zero_()
    print(f"rank={rank} size={dist.get_world_size()} weight={weight.item():.2f}", flush=True)
    dist.destroy_process_group()


client = TrainerClient(backend_config=KubernetesBackendConfig(namespace="default"))
result = {"runtimes": {runtime.name: runtime.trainer.framework for runtime in client.list_runtimes()}}

name = client.train(
    runtime=client.get_runtime("torch-distributed"),
    trainer=CustomTrainer(
        func=train,
        func_args={"rate": 0.05},
        num_nodes=2,
        env={"PET_REDIRECTS": "1", "PET_TEE": "1"},
    ),
)
result["listed"] = name in [job.name for job in client.list_jobs()]

client.wait_for_job_status(name, status={"Running", "Complete"}, timeout=60, polling_interval=1)
followed = {}


def follow(step):
    followed[step] = list(client.get_job_logs(name, step=step, follow=True))


threads = [threading.Thread(target=follow, args=[step]) for step in ("node-0", "node-1")]
for thread in threads:
    thread.start()
job = client.wait_for_job_status(name, timeout=120, polling_interval=1)
for thread in threads:
    thread.join(30)

result["status"] = job.status
result["nodes"] = job.num_nodes
result["steps"] = {step.name: step.status for step in job.steps}
result["followed"] = followed
result["events"] = sorted({event.reason for event in client.get_job_events(name)})

client.delete_job(name)
try:
    client.get_job(name)
except RuntimeError as error:
    result["deleted"] = str(error)

json.dump(result, sys.stdout)
