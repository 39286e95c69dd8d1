import { readFile } from 'node:fs/promises';

import { conclude, readArguments, refuseArguments } from '@parley/infra';

import { type Figures, capacityOf } from './model.ts';

const figuresFile = new URL('../../../docs/figures.json', import.meta.url);
const usage = `npm run capacity -- [--users 1000000] [--realms 2000] [--largest 100000] [--online 0.3]
                    [--queues-per-user 1.3] [--audience 50] [--figures FILE] [--json]

What a deployment of this size needs, computed from what \`npm run bench\` measured. The figures are those of
docs/figures.json; those of another machine come from

npm run bench -- fanout memory sends costs presence marks joins large --json > FILE

  --online           part of the users who are connected at once
  --queues-per-user  event queues of each of them
  --audience         those of them who hear an ordinary message
`;

const number = (preset: string) => ({ type: 'string', default: preset }) as const;
const { values } = readArguments(usage, {
  users: number('1000000'),
  realms: number('2000'),
  largest: number('100000'),
  online: number('0.3'),
  'queues-per-user': number('1.3'),
  audience: number('50'),
  figures: { type: 'string' },
});
const deployment = {
  users: Number(values.users),
  realms: Number(values.realms),
  largest: Number(values.largest),
  online: Number(values.online),
  queuesPerUser: Number(values['queues-per-user']),
  audience: Number(values.audience),
};
const isWrong = Object.values(deployment).some((value) => !(value > 0)) || deployment.online > 1;
if (isWrong) refuseArguments(usage, 'Every number has to be above 0, and --online at most 1.');
// Safe: the benchmarks write it.
const figures = JSON.parse(await readFile(values.figures ?? figuresFile, 'utf8')) as Figures;
const capacity = capacityOf(deployment, figures);
const { needs, limits, online, sendsPerSecond } = capacity;
const line = ({ part, amount, unit, because }: (typeof needs)[number]) =>
  `  ${part.padEnd(28)} ${String(amount).padStart(7)} ${unit.padEnd(26)} ${because}`;
conclude(values.json, {
  holds: true,
  result: `The first to be full: ${limits[0]?.part}.`,
  report: capacity,
  text: `
${deployment.users} users in ${deployment.realms} organizations, ${Math.round(online)} connected, ${Math.round(sendsPerSecond)} messages/s

${needs.map(line).join('\n')}

  of what there is one of, the part that is used (1: all that leaves room for a fault)
${limits.map(line).join('\n')}`,
});
