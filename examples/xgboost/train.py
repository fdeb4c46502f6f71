"""
Trains one model on all nodes, each with its own part of the data. The program on the first node starts the tracker,
as the runtime expects. MODEL names a file for the trained model.
"""

import os

import numpy as np
import xgboost as xgb
from xgboost.tracker import RabitTracker

rank, workers = int(os.environ["DMLC_TASK_ID"]), int(os.environ["DMLC_NUM_WORKER"])
address, port = os.environ["DMLC_TRACKER_URI"], int(os.environ["DMLC_TRACKER_PORT"])

tracker = None
if rank == 0:
    tracker = RabitTracker(n_workers=workers, host_ip=address, port=port, sortby="task")
    tracker.start()

# a learning problem that is the same everywhere; this worker reads its share of the rows
rng = np.random.default_rng(0)
features = rng.random((2_000, 5))
target = np.sin(4 * features[:, 0]) + features[:, 1] * features[:, 2]
train, test = slice(rank, 1_600, workers), slice(1_600, None)

arguments = {
    "dmlc_tracker_uri": address,
    "dmlc_tracker_port": port,
    "dmlc_task_id": str(rank),
    "dmlc_nworker": workers,
}
with xgb.collective.CommunicatorContext(**arguments):
    print(f"worker {xgb.collective.get_rank()} of {xgb.collective.get_world_size()}, XGBoost {xgb.__version__}", flush=True)
    model = xgb.train(
        {"objective": "reg:squarederror", "tree_method": "hist", "max_depth": 4, "nthread": 1, "seed": 0},
        xgb.DMatrix(features[train], label=target[train]),
        num_boost_round=40,
    )
    error = float(np.sqrt(np.mean((model.predict(xgb.DMatrix(features[test])) - target[test]) ** 2)))
    print(f"worker {rank}: rmse={error:.6f}", flush=True)
    if rank == 0 and "MODEL" in os.environ:
        model.save_model(os.environ["MODEL"])

if tracker is not None:
    tracker.wait_for()
