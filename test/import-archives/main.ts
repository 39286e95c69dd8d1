import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { conclude, makeTiedFolder, readArguments, refuseArguments, sayProgress as say } from '@parley/infra';

import { createRandom } from '../chaos/random.ts';
import { Deployments } from './deployments.ts';
import { type Interrupted, interruptImports } from './interrupt.ts';
import { type Made, products } from './products.ts';

const usage = `npm run import:archives -- [--messages 0] [--source slack|mattermost|rocketchat|zulip] [--folder FOLDER] [--rate 0]
                            [--kills 0] [--seed 0] [--import-rate 0] [--break rows] [--json]

Makes an archive of each product with everything that one can have, and with --messages one with so many messages;
converts each as \`parley import\` does, in a process of its own, and compares the numbers of messages. Exits with 1 unless
all of them are there, memory stays below 400 MiB, and at least --rate messages a second were read and converted.

With --kills, the larger of them is imported into a Postgres as well: once as a whole, and again and again while the
process is killed at so many random moments. Exits with 1 unless every import that was continued has the same rows and
files as the whole one, nobody could see an organization before it was complete, memory stays below 400 MiB, and at least
--import-rate messages a second were imported. Prints how many times as long an import takes as \`copy\` of its rows.

  --folder           keep the archives in this folder
  --seed             the number that moments follow from
  --break rows       lose a row on purpose, to see that this is noticed
`;

const { values } = readArguments(usage, {
  messages: { type: 'string', default: '0' },
  source: { type: 'string' },
  folder: { type: 'string' },
  rate: { type: 'string', default: '0' },
  kills: { type: 'string', default: '0' },
  seed: { type: 'string', default: '0' },
  'import-rate': { type: 'string', default: '0' },
  break: { type: 'string' },
});
const numberOf = (name: 'messages' | 'rate' | 'kills' | 'seed' | 'import-rate', max: number) =>
  /^\d{1,9}$/.test(values[name]) && Number(values[name]) <= max
    ? Number(values[name])
    : refuseArguments(usage, `--${name} takes a number up to ${max}, not ${values[name]}.`);
const [messages, kills] = [numberOf('messages', 10_000_000), numberOf('kills', 1000)];
const [rateMin, importRateMin] = [numberOf('rate', 1_000_000), numberOf('import-rate', 1_000_000)];
if (values.break !== undefined && (values.break !== 'rows' || kills === 0)) {
  refuseArguments(usage, '--break takes rows, and needs --kills.');
}
const chosen = products.filter(({ source }) => values.source === undefined || values.source === source);
if (chosen.length === 0) refuseArguments(usage, `There is no source ${values.source}.`);

const memoryMaxMebibytes = 400;
const megabyte = 1024 * 1024;

interface Converted {
  messages: number;
  seconds: number;
  processorSeconds: number;
  memoryMebibytes: number;
}

interface Figures extends Converted {
  archive: string;
  megabytes: number;
  perSecond: number;
  holds: boolean;
}

const convertMain = new URL('convert-main.js', import.meta.url).pathname;

/** Converts an archive in a process of its own, and says how long it took and how much memory it had. */
async function measure(name: string, { file, files, kept }: Made, isTimed: boolean): Promise<Figures> {
  const { stdout } = await promisify(execFile)(process.execPath, [convertMain, file, files ?? '']);
  // Safe: it is what that process prints.
  const converted = JSON.parse(stdout) as Converted;
  const perSecond = Math.round(converted.messages / converted.seconds);
  const isFast = !isTimed || perSecond >= rateMin;
  const isSmall = converted.memoryMebibytes <= memoryMaxMebibytes;
  return {
    archive: name,
    megabytes: Math.round((await stat(file)).size / megabyte),
    ...converted,
    perSecond,
    holds: converted.messages === kept && isFast && isSmall,
  };
}

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'parley-archives-')));
const figures: Figures[] = [];
const archives: { name: string; made: Made }[] = [];

async function convertAll(): Promise<void> {
  for (const { source, small, large } of chosen) {
    const into = join(folder, source);
    const files = join(into, 'files');
    await mkdir(files, { recursive: true });
    const tiny = await small(into);
    for (const [path, content] of Object.entries(tiny.downloads)) {
      await mkdir(dirname(join(files, path)), { recursive: true });
      await writeFile(join(files, path), content);
    }
    const [name, largeName] = [`${source}, everything once`, `${source}, large`];
    figures.push(await measure(name, { ...tiny, files }, false));
    const big = messages > 0 ? await large(into, messages) : undefined;
    if (big) figures.push(await measure(largeName, big, true));
    archives.push(big ? { name: largeName, made: big } : { name, made: { ...tiny, files } });
    say(`${source}: converted.`);
  }
}

async function interruptAll(): Promise<Interrupted[]> {
  if (kills === 0) return [];
  const dir = await makeTiedFolder('parley-archives-');
  try {
    await using deployments = await Deployments.start(dir);
    const interrupted: Interrupted[] = [];
    for (const { name, made } of archives) {
      const next = createRandom(numberOf('seed', 999_999_999) + interrupted.length);
      const isBroken = values.break === 'rows';
      const options = { deployments, name, made, kills, random: next, isBroken, say };
      interrupted.push(await interruptImports(options));
    }
    return interrupted;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const isSame = ({ differing, halfDone, memoryMebibytes, perSecond }: Interrupted) =>
  differing.length === 0 &&
  halfDone === 0 &&
  memoryMebibytes <= memoryMaxMebibytes &&
  perSecond >= importRateMin;

const row = ({ archive, megabytes, messages: count, seconds, perSecond, memoryMebibytes }: Figures) =>
  `${archive.padEnd(28)}${String(megabytes).padStart(8)} MB${String(count).padStart(10)} messages${seconds.toFixed(1).padStart(8)} s${String(perSecond).padStart(9)}/s${String(memoryMebibytes).padStart(6)} MiB`;

const interruptedText = (one: Interrupted) =>
  [
    `${one.archive}: imported in ${one.importSeconds.toFixed(1)} s, ${one.perSecond} messages a second, ${one.timesCopy.toFixed(1)} times as long as copy, ${one.memoryMebibytes} MiB`,
    `  killed ${one.kills} times: ${Object.entries(one.phases)
      .map(([phase, count]) => `${count} ${phase.toLowerCase()}`)
      .join(
        ', ',
      )}; seen half-done ${one.halfDone} times; differs in ${one.differing.length === 0 ? 'nothing' : one.differing.join(', ')}`,
  ].join('\n');

try {
  await convertAll();
  const interrupted = await interruptAll();
  const wrong = [
    ...figures.flatMap((one) => (one.holds ? [] : [one.archive])),
    ...interrupted.flatMap((one) => (isSame(one) ? [] : [`${one.archive}, interrupted`])),
  ];
  const memory = Math.max(...[...figures, ...interrupted].map((one) => one.memoryMebibytes));
  const killed = kills === 0 ? '' : `, ${interrupted.length} killed ${kills} times each and the same,`;
  conclude(values.json, {
    holds: wrong.length === 0,
    result:
      wrong.length === 0
        ? `${figures.length} archives converted, all messages there${killed || ','} at most ${memory} MiB.`
        : `Not as it should be: ${wrong.join('; ')}.`,
    report: { figures, interrupted },
    text: [...figures.map(row), ...interrupted.map(interruptedText)].join('\n'),
  });
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}
process.exit();
