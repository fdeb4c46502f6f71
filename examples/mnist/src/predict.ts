/** Shows one of the digits that were not trained on and what the saved model sees in it: `node src/predict.ts [NUMBER]`. */
import { loadDigits, PIXELS } from './digits.ts'
import { loadModel } from './model.ts'
import { classify } from './network.ts'

const { test } = await loadDigits()
const number = Number(process.argv[2] ?? Math.floor(Math.random() * test.labels.length))
const parameters = await loadModel('out/model.json').catch(() => {
  console.error('There is no model in out/model.json yet: run "trainjob run -f trainjob.yaml" first.')
  process.exit(1)
})
if (test.labels[number] === undefined) {
  console.error(`expected a number from 0 to ${test.labels.length - 1}, found "${process.argv[2]}"`)
  process.exit(2)
}

const pixels = test.pixels.subarray(number * PIXELS, (number + 1) * PIXELS)
const side = Math.sqrt(PIXELS)
for (let row = 0; row < side; row++) {
  const line = Array.from(pixels.subarray(row * side, (row + 1) * side), (value) => ' ░▒▓█'[Math.round(value * 4)])
  console.log(line.join(''))
}
console.log(`digit ${number} is a ${test.labels[number]}; the model sees a ${classify(parameters, pixels)}`)
