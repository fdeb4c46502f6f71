"""One trivial task on kubeflow's local process backend; prints the seconds from train() to Complete."""

import time

from kubeflow.trainer import CustomTrainer, LocalProcessBackendConfig, TrainerClient


def task():
    print("hello")


client = TrainerClient(backend_config=LocalProcessBackendConfig())
runtime = client.get_runtime("torch-distributed")
# python instead of torchrun, which its fresh environment would have to install
runtime.trainer.framework = "plain"
start = time.perf_counter()
name = client.train(runtime=runtime, trainer=CustomTrainer(func=task))
while client.get_job(name).status not in ("Complete", "Failed"):
    time.sleep(0.01)
elapsed = time.perf_counter() - start
assert client.get_job(name).status == "Complete"
print(elapsed)
