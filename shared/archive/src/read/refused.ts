import { type ImportRefusal, type RefusalCode, type RefusalValues, refusalSentence } from '@parley/protocol';

/** An archive that cannot be read, with the reason in words for whoever imports it. Nothing of it is left. */
export class ArchiveRefused extends Error {
  /** The same for those who say it in another language. */
  readonly refusal: ImportRefusal;

  constructor(refusal: ImportRefusal) {
    super(refusalSentence(refusal));
    this.name = 'ArchiveRefused';
    this.refusal = refusal;
  }
}

type Arguments<Code extends RefusalCode> = keyof RefusalValues<Code> extends never
  ? []
  : [values: RefusalValues<Code>];

/** Returns what an archive is refused with. Names that come from it are shown short, and cannot steer a terminal. */
export function refused<Code extends RefusalCode>(code: Code, ...[values]: Arguments<Code>): ArchiveRefused {
  const all = Object.entries<string | number | undefined>(values ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? shown(value) : value] as const],
  );
  return new ArchiveRefused({ code, values: Object.fromEntries(all) });
}

/** Returns a name from an archive as it is shown: short, and without characters that steer a terminal. */
const shown = (name: string) => JSON.stringify(name.slice(0, 200)).slice(1, -1);

/** Classes of errors of Postgres that say something of values: they are none, contradict a constraint, or are too long. */
const ofValues = /^(?:22|23|54)/;

/** Returns the error for rows that Postgres does not take; any other error as it is. */
export function refusedByDatabase(error: unknown, table: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ofValues.test(code) ? refused('rows_contradict', { table }) : error;
}
