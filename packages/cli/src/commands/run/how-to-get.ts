/** Where the programs of the shipped runtimes come from. */
const SOURCES: Readonly<Record<string, string>> = {
  deepspeed: 'pip install deepspeed',
  flux: 'conda install -c conda-forge flux-core flux-sched',
  mpirun: 'apt-get install openmpi-bin, or brew install open-mpi',
  mpiexec: 'apt-get install openmpi-bin, or brew install open-mpi',
  torchrun: 'pip install torch',
  tune: 'pip install torchtune torchao (its fine-tuning recipes want a GPU)',
}

/** What to do about a program that is not here; ends a sentence. */
export function howToGet(program: string): string {
  const source = Object.hasOwn(SOURCES, program) ? SOURCES[program] : undefined
  return source === undefined ? 'install it, or correct the command' : `it comes with: ${source}`
}
