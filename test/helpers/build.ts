import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const PROJECT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

let built: string | null = null

/**
 * Builds the sources as they are now into a folder that goes with this process, and gives its path. A service that
 * is to be put under load is run from there: under a loader each of its threads takes seconds to start.
 */
export function buildProject (): string {
  if (built !== null) return built
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'built-')))
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }))
  fs.symlinkSync(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'))
  fs.copyFileSync(path.join(PROJECT, 'package.json'), path.join(folder, 'package.json'))
  const { config } = ts.readConfigFile(path.join(PROJECT, 'tsconfig.build.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, PROJECT)
  const compilerOptions = { ...options, module: ts.ModuleKind.ESNext }
  for (const room of ['src', 'routes', 'schemas']) {
    for (const name of fs.readdirSync(path.join(PROJECT, room), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.includes('kernel-source')) continue
      const source = fs.readFileSync(path.join(PROJECT, room, name), 'utf8')
      const { outputText } = ts.transpileModule(source, { compilerOptions, fileName: name })
      const target = path.join(folder, 'dist', room, name.replace(/\.ts$/, '.js'))
      fs.mkdirSync(path.dirname(target), { recursive: true })
      fs.writeFileSync(target, outputText)
    }
  }
  built = folder
  return folder
}
