#!/bin/sh
# Adds up this node's share of the numbers from 1 to 100: every NODES-th one, from its own index on.
sum=0
n=$((JOB_COMPLETION_INDEX + 1))
while [ "$n" -le 100 ]; do
  sum=$((sum + n))
  n=$((n + NODES))
done
echo "share $JOB_COMPLETION_INDEX of $NODES: sum=$sum"
