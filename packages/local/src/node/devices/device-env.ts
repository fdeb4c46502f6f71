import { AMD_GPU, type Devices, NVIDIA_GPU } from './detect-devices.ts'
import type { Assigned } from './device-book.ts'

/**
 * The variables by which frameworks and container engines see a container's devices and no others. Nothing for vendors
 * of which this machine has no device; an empty list hides those that are other pods'.
 */
export function deviceEnv(
  assigned: Assigned,
  devices: Readonly<Record<keyof Devices, unknown>>,
): Record<string, string> {
  const env: Record<string, string> = {}
  if (devices[NVIDIA_GPU] !== undefined) {
    const ids = assigned[NVIDIA_GPU] ?? []
    env.CUDA_VISIBLE_DEVICES = ids.join(',')
    // The ids are nvidia-smi's; CUDA would number devices by their speed.
    env.CUDA_DEVICE_ORDER = 'PCI_BUS_ID'
    env.NVIDIA_VISIBLE_DEVICES = ids.length === 0 ? 'void' : ids.join(',')
  }
  if (devices[AMD_GPU] !== undefined) {
    const ids = assigned[AMD_GPU] ?? []
    env.ROCR_VISIBLE_DEVICES = ids.join(',')
    // HIP counts among those that ROCR shows
    env.HIP_VISIBLE_DEVICES = ids.map((_, index) => index).join(',')
  }
  return env
}
