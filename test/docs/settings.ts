import { apiConfig } from '@parley/api';
import { filesConfig } from '@parley/files';
import { commonConfig, mailConfig } from '@parley/kit';
import { pushConfig } from '@parley/push';
import { queueConfig } from '@parley/queue';
import { searchConfig } from '@parley/search';
import { telemetryConfig } from '@parley/telemetry';
import { workerConfig } from '@parley/worker';
import { z } from 'zod';

const everywhere = { ...commonConfig, ...telemetryConfig };
const outside = { ...everywhere, ...filesConfig, ...mailConfig, ...pushConfig, ...searchConfig };

/** The environment variables that each service reads, as it declares them. */
export const settingsOfServices: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  api: { ...outside, ...apiConfig },
  queue: { ...everywhere, ...queueConfig },
  worker: { ...outside, ...workerConfig },
};

interface Setting {
  name: string;
  /** `all`, or the services that read it. */
  readBy: string;
  meaning: string;
  isRequired: boolean;
  /** Undefined where there is none. */
  preset: string | undefined;
}

function settingOf(name: string): Setting {
  const services = Object.keys(settingsOfServices);
  const readers = services.filter((service) => settingsOfServices[service]?.[name]);
  const schema = readers.flatMap((service) => settingsOfServices[service]?.[name] ?? [])[0];
  if (!schema) throw new Error(`Nobody reads ${name}.`);
  const isRequired = !schema.safeParse(undefined).success;
  const { default: value } = isRequired
    ? {}
    : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return {
    name,
    readBy: readers.length === services.length ? 'all' : readers.join(', '),
    meaning: schema.description ?? '',
    isRequired,
    preset: value === undefined || typeof value === 'string' ? value : JSON.stringify(value),
  };
}

/** Returns the default of a setting that has one. */
export const presetOf = (name: string): string => settingOf(name).preset ?? '';

/** All settings, in the order in which the services declare them. */
export const listSettings = (): Setting[] =>
  [...new Set(Object.values(settingsOfServices).flatMap((shape) => Object.keys(shape)))].map(settingOf);

function presetInTable({ isRequired, preset }: Setting): string {
  if (isRequired) return 'required';
  if (preset === undefined) return 'none';
  return preset === '' ? 'empty' : `\`${preset}\``;
}

/** The rows of the table in docs/configuration.md. */
export const settingRows = (): string[][] =>
  listSettings().map((setting) => [
    `\`${setting.name}\``,
    setting.readBy,
    setting.meaning,
    presetInTable(setting),
  ]);

/** As shells, `node --env-file` and Docker Compose read it. */
const quoted = (value: string) => (/^[\w.,:/@-]*$/.test(value) ? value : `'${value}'`);

/** The text of .env.sample: every setting, those commented out that have a default or need none. */
export function envSample(): string {
  const readers = [...new Set(listSettings().map(({ readBy }) => readBy))];
  const sections = readers.map((reader) => {
    const lines = listSettings()
      .filter(({ readBy }) => readBy === reader)
      .map(({ name, meaning, isRequired, preset = '' }) => {
        const required = isRequired ? ' Required.' : '';
        return `# ${meaning}${required}\n${isRequired ? '' : '#'}${name}=${quoted(preset)}\n`;
      });
    const title = reader === 'all' ? 'Every service' : `Read by: ${reader}`;
    return `# --- ${title}\n\n${lines.join('\n')}`;
  });
  return `# Settings of a deployment, with their defaults. Copy this file to .env, and fill in what is required.
# docs/configuration.md explains them. Made by \`npm run docs\`.

${sections.join('\n')}`;
}
