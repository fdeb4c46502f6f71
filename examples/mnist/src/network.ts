import { CLASSES, type Digits, PIXELS } from './digits.ts'
import { seededRandom } from './random.ts'

const HIDDEN = 64
const W1 = 0
const B1 = W1 + PIXELS * HIDDEN
const W2 = B1 + HIDDEN
const B2 = W2 + HIDDEN * CLASSES

/** Shape of the network: pixels → a hidden layer of rectified units → a score for each digit. */
export const LAYERS: readonly number[] = [PIXELS, HIDDEN, CLASSES]
/** Weights and biases of all layers lie in one array of this length. */
export const PARAMETERS: number = B2 + CLASSES

/** He initialisation; the same on every rank because the seed is. */
export function initialParameters(seed: number): Float64Array {
  const random = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const parameters = new Float64Array(PARAMETERS)
  for (let i = W1; i < B1; i++) parameters[i] = normal() * Math.sqrt(2 / PIXELS)
  for (let i = W2; i < B2; i++) parameters[i] = normal() * Math.sqrt(2 / HIDDEN)
  return parameters
}

/** Sums over a set of digits. */
export interface Score {
  /** Sum of the cross-entropy losses. */
  loss: number
  /** Digits recognised. */
  correct: number
}

/**
 * Runs the digits at `indices` through the network. With a `gradient` (length PARAMETERS) their gradients are added to it.
 */
export function evaluate(
  parameters: Float64Array,
  digits: Digits,
  indices: Uint32Array,
  gradient?: Float64Array,
): Score {
  const score: Score = { loss: 0, correct: 0 }
  const hidden = new Float64Array(HIDDEN)
  const hiddenError = new Float64Array(HIDDEN)
  const outputs = new Float64Array(CLASSES)
  for (const index of indices) {
    const pixels = digits.pixels.subarray(index * PIXELS, (index + 1) * PIXELS)
    const label = digits.labels[index] as number
    forward(parameters, pixels, hidden, outputs)
    if (argmax(outputs) === label) score.correct++
    toProbabilities(outputs)
    score.loss -= Math.log(Math.max(outputs[label] as number, 1e-300))
    if (gradient === undefined) continue
    outputs[label] = (outputs[label] as number) - 1 // now the error of each output
    backward(parameters, pixels, hidden, hiddenError, outputs, gradient)
  }
  return score
}

/** The digit that the network sees in one image of PIXELS values. */
export function classify(parameters: Float64Array, pixels: Float32Array): number {
  const outputs = new Float64Array(CLASSES)
  forward(parameters, pixels, new Float64Array(HIDDEN), outputs)
  return argmax(outputs)
}

function forward(p: Float64Array, pixels: Float32Array, hidden: Float64Array, outputs: Float64Array): void {
  for (let h = 0; h < HIDDEN; h++) hidden[h] = p[B1 + h] as number
  for (let i = 0; i < PIXELS; i++) {
    const x = pixels[i] as number
    if (x === 0) continue // four pixels of five are blank
    const row = W1 + i * HIDDEN
    for (let h = 0; h < HIDDEN; h++) hidden[h] = (hidden[h] as number) + (p[row + h] as number) * x
  }
  for (let c = 0; c < CLASSES; c++) outputs[c] = p[B2 + c] as number
  for (let h = 0; h < HIDDEN; h++) {
    const activation = Math.max(0, hidden[h] as number)
    hidden[h] = activation
    if (activation === 0) continue
    const row = W2 + h * CLASSES
    for (let c = 0; c < CLASSES; c++) outputs[c] = (outputs[c] as number) + (p[row + c] as number) * activation
  }
}

function backward(
  p: Float64Array,
  pixels: Float32Array,
  hidden: Float64Array,
  hiddenError: Float64Array,
  error: Float64Array,
  gradient: Float64Array,
): void {
  const add = (at: number, value: number) => {
    gradient[at] = (gradient[at] as number) + value
  }
  for (let c = 0; c < CLASSES; c++) add(B2 + c, error[c] as number)
  for (let h = 0; h < HIDDEN; h++) {
    hiddenError[h] = 0
    const activation = hidden[h] as number
    if (activation === 0) continue
    const row = W2 + h * CLASSES
    for (let c = 0; c < CLASSES; c++) {
      hiddenError[h] = (hiddenError[h] as number) + (p[row + c] as number) * (error[c] as number)
      add(row + c, activation * (error[c] as number))
    }
    add(B1 + h, hiddenError[h] as number)
  }
  for (let i = 0; i < PIXELS; i++) {
    const x = pixels[i] as number
    if (x === 0) continue
    const row = W1 + i * HIDDEN
    for (let h = 0; h < HIDDEN; h++) add(row + h, x * (hiddenError[h] as number))
  }
}

function toProbabilities(outputs: Float64Array): void {
  const highest = Math.max(...outputs)
  let sum = 0
  for (let c = 0; c < CLASSES; c++) sum += outputs[c] = Math.exp((outputs[c] as number) - highest)
  for (let c = 0; c < CLASSES; c++) outputs[c] = (outputs[c] as number) / sum
}

function argmax(values: Float64Array): number {
  let best = 0
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[best] as number)) best = i
  return best
}
