import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LAYERS } from './network.ts'

/** Writes the parameters to `DIR/model.json`, whole or not at all; answers the file's path. */
export async function saveModel(directory: string, parameters: Float64Array): Promise<string> {
  await mkdir(directory, { recursive: true })
  const file = join(directory, 'model.json')
  const text = JSON.stringify({ layers: LAYERS, parameters: Buffer.from(parameters.buffer).toString('base64') })
  await writeFile(`${file}.part`, text)
  await rename(`${file}.part`, file)
  return file
}

/** Reads what `saveModel` wrote. */
export async function loadModel(file: string): Promise<Float64Array> {
  const model = JSON.parse(await readFile(file, 'utf8')) as { parameters: string }
  const bytes = Buffer.from(model.parameters, 'base64')
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}
