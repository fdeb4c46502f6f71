"""Fits y = 3x - 2 on every rank; Open MPI averages the gradients. Run by `mpirun` in the launcher."""

import random

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()

random.seed(rank)  # every rank sees other samples
samples = [(x, 3 * x - 2) for x in (random.random() for _ in range(512))]

weight = bias = 0.0
for epoch in range(1, 201):
    errors = [(weight * x + bias - y, x) for x, y in samples]
    gradient = [2 * sum(e * x for e, x in errors) / len(errors), 2 * sum(e for e, _ in errors) / len(errors)]
    mean = [part / size for part in world.allreduce(gradient, op=lambda a, b: [m + n for m, n in zip(a, b)])]
    weight -= 0.5 * mean[0]
    bias -= 0.5 * mean[1]
    if epoch % 50 == 0 and rank == 0:
        loss = sum(e * e for e, _ in errors) / len(errors)
        print(f"epoch={epoch} loss={loss:.6f}", flush=True)

print(f"rank {rank} of {size}: y = {weight:.3f} x + {bias:.3f}", flush=True)
