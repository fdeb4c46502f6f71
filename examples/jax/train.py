"""Fits y = 3x - 2 on every process; JAX averages the gradients across processes."""

import os

import jax
import jax.numpy as jnp

jax.distributed.initialize(
    coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
    num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
    process_id=int(os.environ["JAX_PROCESS_ID"]),
)
print(f"process {jax.process_index()} of {jax.process_count()}, {jax.device_count()} devices, JAX {jax.__version__}", flush=True)

local = jax.local_device_count()
keys = jax.random.split(jax.random.key(jax.process_index()), local)  # every process sees other samples
x = jax.vmap(lambda key: jax.random.uniform(key, (512,)))(keys)
y = 3 * x - 2


def loss(parameters, x, y):
    weight, bias = parameters
    return jnp.mean((weight * x + bias - y) ** 2)


@jax.pmap
def copies(_):
    return jnp.zeros(2)


def step(parameters, x, y):
    value, gradient = jax.value_and_grad(loss)(parameters, x, y)
    gradient = jax.lax.psum(gradient, "processes") / jax.lax.psum(1, "processes")
    return parameters - 0.5 * gradient, value


parallel_step = jax.pmap(step, axis_name="processes")
parameters = copies(jnp.arange(local))
for epoch in range(1, 201):
    parameters, value = parallel_step(parameters, x, y)
    if epoch % 50 == 0 and jax.process_index() == 0:
        print(f"epoch={epoch} loss={value[0]:.6f}", flush=True)

weight, bias = (float(part) for part in parameters.addressable_shards[0].data.reshape(-1))
print(f"process {jax.process_index()}: y = {weight:.3f} x + {bias:.3f}", flush=True)
jax.distributed.shutdown()
