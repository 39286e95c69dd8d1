import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { chooseSource, convertArchive, verifyArchive } from '@parley/archive';
import { conclude, readArguments, refuseArguments } from '@parley/infra';

import { type Made, products } from './products.ts';

const usage = `npm run import:archives -- [--messages 0] [--source slack|mattermost|rocketchat|zulip] [--folder FOLDER] [--rate 0] [--json]

Makes an archive of each product with everything that one can have, and with --messages one with so many messages;
converts each as \`parley import\` does, and compares the numbers of messages. Exits with 1 unless all of
them are there, memory stays below 400 MiB, and at least --rate messages a second were read and converted.

  --folder           keep the archives in this folder
`;

const { values } = readArguments(usage, {
  messages: { type: 'string', default: '0' },
  source: { type: 'string' },
  folder: { type: 'string' },
  rate: { type: 'string', default: '0' },
});
const [messages, rateMin] = [Number(values.messages), Number(values.rate)];
if (!Number.isInteger(messages) || messages < 0 || messages > 10_000_000 || !(rateMin >= 0)) {
  refuseArguments(usage, 'Enter a number from 0 to 10000000 for --messages, and one from 0 for --rate.');
}
const chosen = products.filter(({ source }) => values.source === undefined || values.source === source);
if (chosen.length === 0) refuseArguments(usage, `There is no source ${values.source}.`);

const memoryMaxMebibytes = 400;
const megabyte = 1024 * 1024;

interface Figures {
  archive: string;
  megabytes: number;
  messages: number;
  seconds: number;
  perSecond: number;
  memoryMebibytes: number;
  holds: boolean;
}

/** Converts an archive, and says how long it took and how much memory the process has had so far. */
async function measure(name: string, { file, files, kept }: Made, isTimed: boolean): Promise<Figures> {
  const from = await chooseSource(file, undefined);
  if (from === 'parley') throw new Error(`${file} was taken for one of ours.`);
  const startedMs = performance.now();
  await using converted = await convertArchive({ archive: file, from, name: 'acme', files });
  const seconds = (performance.now() - startedMs) / 1000;
  const { manifest } = await verifyArchive(converted.file);
  const found = manifest.tables['messages']?.rows ?? 0;
  const memoryMebibytes = Math.round(process.resourceUsage().maxRSS / 1024);
  const perSecond = Math.round(found / seconds);
  const isFast = !isTimed || perSecond >= rateMin;
  return {
    archive: name,
    megabytes: Math.round((await stat(file)).size / megabyte),
    messages: found,
    seconds: Math.round(seconds * 10) / 10,
    perSecond,
    memoryMebibytes,
    holds: found === kept && isFast && memoryMebibytes <= memoryMaxMebibytes,
  };
}

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'parley-archives-')));
const figures: Figures[] = [];
try {
  for (const { source, small, large } of chosen) {
    const into = join(folder, source);
    await mkdir(into, { recursive: true });
    const tiny = await small(into);
    await mkdir(join(into, 'files'), { recursive: true });
    for (const [path, content] of Object.entries(tiny.downloads)) {
      await mkdir(dirname(join(into, 'files', path)), { recursive: true });
      await writeFile(join(into, 'files', path), content);
    }
    figures.push(await measure(`${source}, everything once`, { ...tiny, files: join(into, 'files') }, false));
    if (messages > 0) figures.push(await measure(`${source}, large`, await large(into, messages), true));
  }
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}

const row = ({ archive, megabytes, messages: count, seconds, perSecond, memoryMebibytes }: Figures) =>
  `${archive.padEnd(28)}${String(megabytes).padStart(8)} MB${String(count).padStart(10)} messages${String(seconds).padStart(8)} s${String(perSecond).padStart(9)}/s${String(memoryMebibytes).padStart(6)} MiB`;
const holds = figures.every((one) => one.holds);
conclude(values.json, {
  holds,
  result: holds
    ? `${figures.length} archives converted, all messages there, at most ${Math.max(...figures.map((one) => one.memoryMebibytes))} MiB.`
    : `Not as it should be: ${figures.flatMap((one) => (one.holds ? [] : [one.archive])).join(', ')}.`,
  report: { figures },
  text: figures.map(row).join('\n'),
});
