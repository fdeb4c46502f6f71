"""
Fits y = 3x - 2 on as many nodes as there are. When a node is lost or comes, torchrun starts this program again on all of
them, and it goes on from the last checkpoint. Beside the checkpoint,
`progress.txt` says how far it is, and a file named `stop` ends the training early.
"""

import os
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

folder = os.environ.get("CHECKPOINTS", ".")
checkpoint = os.path.join(folder, "checkpoint.pt")
epochs = int(os.environ.get("EPOCHS", "100"))

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
model = DistributedDataParallel(torch.nn.Linear(1, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
epoch = 0
if os.path.exists(checkpoint):
    state = torch.load(checkpoint)
    epoch = state["epoch"]
    model.load_state_dict(state["model"])
print(f"process {rank} of {world}, from epoch {epoch} on", flush=True)

generator = torch.Generator().manual_seed(rank)
x = torch.rand(512, 1, generator=generator)
y = 3 * x - 2
stopped = torch.zeros(1)
while epoch < epochs and not stopped:
    epoch += 1
    loss = torch.nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if rank == 0:
        torch.save({"epoch": epoch, "model": model.state_dict()}, checkpoint + ".new")
        os.replace(checkpoint + ".new", checkpoint)
        with open(os.path.join(folder, "progress.txt"), "w") as progress:
            progress.write(f"epoch={epoch} world={world}\n")
        stopped += os.path.exists(os.path.join(folder, "stop"))
        print(f"epoch={epoch} world={world} loss={loss.item():.6f}", flush=True)
    dist.broadcast(stopped, 0)  # all of them stop in the same epoch
    time.sleep(0.1)

weight, bias = (p.item() for p in model.module.parameters())
print(f"process {rank}: y = {weight:.3f} x + {bias:.3f}", flush=True)
dist.destroy_process_group()
