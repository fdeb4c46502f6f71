/** What XGBoost's tracker and workers read. Source: kubeflow/trainer v2.3.0, pkg/constants/constants.go. */
export const DMLC_TRACKER_URI = 'DMLC_TRACKER_URI'
export const DMLC_TRACKER_PORT = 'DMLC_TRACKER_PORT'
/** Rank of the worker. */
export const DMLC_TASK_ID = 'DMLC_TASK_ID'
export const DMLC_NUM_WORKER = 'DMLC_NUM_WORKER'

/** Variables that the plugin sets and a TrainJob must not. */
export const XGBOOST_RESERVED_ENV: ReadonlySet<string> = new Set([
  DMLC_TRACKER_URI,
  DMLC_TRACKER_PORT,
  DMLC_TASK_ID,
  DMLC_NUM_WORKER,
])
