import { readConfig } from '@parley/kit';
import type { ApplicationContext } from '@stricli/core';
import type { z } from 'zod';

import { type Asker, createAsker } from './ask.ts';
import type { CommandProcess } from './command-process.ts';
import { type Deployment, openDeployment } from './deployment.ts';
import { type Environment, type Settings, readEnvironment } from './environment.ts';
import { type Progress, createProgress } from './progress.ts';

/** What a command has to do with. */
export interface Context extends ApplicationContext {
  process: CommandProcess;
  /** Results go to standard output as JSON, and failures to standard error. */
  isJson: boolean;
  /** The settings of the deployment. @throws Refusal that lists every mistake */
  settings(): Settings;
  /** Connects to the deployment. Whoever does so disposes of it. */
  open(): Promise<Deployment>;
  /** Reads further variables of the environment, such as those of the file store. */
  readConfig<Shape extends z.ZodRawShape>(shape: Shape): z.output<z.ZodObject<Shape>>;
  ask: Asker;
  /** Shows on a terminal how far a long command is. */
  progress(what: string, total: number): Progress;
  /** The command is done, and ends with 1: what it has shown is not as it should be. */
  fail(): void;
  /** Prints the result: `value` with `--json`, otherwise `text`. */
  show(value: unknown, text: string): void;
}

export function createContext(process: CommandProcess, env: Environment, isJson: boolean): Context {
  return {
    process,
    fail: () => {
      process.exitCode = 1;
    },
    isJson,
    settings: () => readEnvironment(env),
    open: () => openDeployment(readEnvironment(env)),
    readConfig: (shape) => readConfig(shape, env),
    ask: createAsker(process),
    progress: (what, total) => createProgress(process.stderr, what, total),
    show: (value, text) => process.stdout.write(isJson ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`),
  };
}
