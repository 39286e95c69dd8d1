import { parseArgs } from 'node:util';

interface Option {
  type: 'string' | 'boolean';
  multiple?: boolean;
  default?: string | boolean | string[];
}

const common = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

type Read<Options extends Record<string, Option>> = ReturnType<
  typeof parseArgs<{ options: Options & typeof common; allowPositionals: true }>
>;

/** What a shell answers to a command that was called wrongly. Claims that do not hold end with 1, and 2 says that a command cannot run here. */
const misuseCode = 64;

/** Says what is wrong with the arguments of a command, prints its usage, and ends it. */
export function refuseArguments(usage: string, reason: string): never {
  process.stderr.write(`${reason}\n\n${usage.trimEnd()}\n`);
  process.exit(misuseCode);
}

/**
 * Reads the arguments of a command that proves something. Every such command takes --json and --help besides its own
 * options; --help prints the usage and ends it.
 */
export function readArguments<const Options extends Record<string, Option>>(
  usage: string,
  options: Options,
  allowPositionals = false,
): Read<Options> {
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(`${usage.trimEnd()}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ options: { ...options, ...common }, allowPositionals });
  } catch (error) {
    return refuseArguments(usage, error instanceof Error ? error.message : String(error));
  }
}
