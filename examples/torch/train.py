"""Fits y = 3x - 2 with DistributedDataParallel; every process sees other samples."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
print(f"process {rank} of {world}, PyTorch {torch.__version__}", flush=True)

torch.manual_seed(rank)
x = torch.rand(512, 1)
y = 3 * x - 2

model = DistributedDataParallel(torch.nn.Linear(1, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(1, 101):
    loss = torch.nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 20 == 0 and rank == 0:
        print(f"epoch={epoch} loss={loss.item():.6f}", flush=True)

weight, bias = (p.item() for p in model.module.parameters())
print(f"process {rank}: y = {weight:.3f} x + {bias:.3f}", flush=True)
dist.destroy_process_group()
