#!/bin/sh
# Starts train.py under torchrun with the first Python that has PyTorch, or says what is missing.
# PYTHON names the interpreter to use instead.
found=
for python in ${PYTHON:-python3 python /usr/bin/python3}; do
  command -v "$python" >/dev/null || continue
  found=${found:-$python}
  if "$python" -c 'import torch.distributed' 2>/dev/null; then
    # Without these two, the torchrun of PyTorch 1.13 fails on Python 3.11.
    export PET_REDIRECTS="${PET_REDIRECTS:-1}" PET_TEE="${PET_TEE:-1}"
    exec "$python" -m torch.distributed.run train.py
  fi
done
if [ -n "$found" ]; then
  echo "PyTorch is missing: $("$found" --version 2>&1) cannot import torch.distributed." >&2
else
  echo "Python is missing: ${PYTHON:-python3} was not found on PATH." >&2
fi
echo "Install it with 'python3 -m pip install torch' or, on Debian, 'apt install python3-torch'; PYTHON=… names another interpreter." >&2
exit 1
