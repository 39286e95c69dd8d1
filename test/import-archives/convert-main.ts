import { chooseSource, convertArchive, verifyArchive } from '@parley/archive';

/** Converts an archive in a process of its own, and prints how long it took and how much memory it had. */
const [archive = '', files = ''] = process.argv.slice(2);

const from = await chooseSource(archive, undefined);
if (from === undefined || from === 'parley') throw new Error(`${archive} is of no other product.`);
const startedMs = performance.now();
await using converted = await convertArchive({
  archive,
  from,
  name: 'acme',
  files: files === '' ? undefined : files,
});
const seconds = (performance.now() - startedMs) / 1000;
const { user, system } = process.cpuUsage();
const memoryMebibytes = Math.round(process.resourceUsage().maxRSS / 1024);
const { manifest } = await verifyArchive(converted.file);
const messages = manifest.tables['messages']?.rows ?? 0;
const processorSeconds = (user + system) / 1_000_000;
process.stdout.write(`${JSON.stringify({ messages, seconds, processorSeconds, memoryMebibytes })}\n`);
