import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * What the compiler says about the modules of a folder below this one; empty when it has nothing to say. What it says
 * about the sources that they import is left out: that is for `pnpm typecheck`.
 */
export async function typeCheck(folder: string, root: string): Promise<string> {
  const config = {
    extends: '../../../tsconfig.base.json',
    compilerOptions: { composite: false, declaration: false, isolatedDeclarations: false, noEmit: true },
    include: ['*.ts'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiler, '-p', folder, '--pretty', 'false'],
      { cwd: folder },
      (error, stdout, stderr) =>
        resolve(error === null ? '' : stdout === '' ? stderr || error.message : aboutModules(stdout)),
    )
  })
}

function aboutModules(output: string): string {
  const messages = output.split(/\n(?! )/)
  return messages.filter((message) => message !== '' && !/^\.\.[/\\]/.test(message)).join('\n')
}
