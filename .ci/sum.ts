/** Prints "PASSED FAILED": the sums over the JSON reports of a folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2] ?? '.'
let passed = 0
let failed = 0
for (const file of readdirSync(folder)) {
  const report = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  passed += report.numPassedTests
  failed += report.numFailedTests
}
console.log(passed, failed)
