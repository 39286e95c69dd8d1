import { gatherCrowd } from './crowd.ts';
import {
  type Contender,
  exampleReply,
  fanOuts,
  floorContender,
  nchanContender,
  nodeContender,
} from './fan-out.ts';
import type { Bench, Say } from './finding.ts';
import { two } from './numbers.ts';

const polls = 4000;
const rounds = 9;

/** All polls are answered with one message. */
export const fanOut: Bench = async (servers, say, { peer }) => {
  say(`fan-out to ${polls} parked polls, ${rounds} rounds of each in turn …`);
  const crowd = await gatherCrowd(servers, polls);
  const body = await exampleReply(servers, crowd);
  await using node = await nodeContender(servers, crowd);
  await using floor = await floorContender(servers, polls, body);
  await using nchan =
    peer === 'nchan' ? await orNothing(nchanContender(servers, polls, body, say), say) : null;
  const [ours, bare, theirs] = await fanOuts([node, floor, ...(nchan ? [nchan] : [])], rounds);
  if (!ours || !bare) throw new Error('Nothing was measured.');
  const figures = {
    polls,
    parley_per_second: ours.deliveriesPerSecond,
    floor_per_second: bare.deliveriesPerSecond,
    ratio: two(ours.deliveriesPerSecond / bare.deliveriesPerSecond),
    parley_cpu_us: ours.cpuMicrosecondsPerDelivery,
    floor_cpu_us: bare.cpuMicrosecondsPerDelivery,
    cpu_ratio: two(ours.cpuMicrosecondsPerDelivery / bare.cpuMicrosecondsPerDelivery),
    ...(theirs && {
      peer_cpu_us: theirs.cpuMicrosecondsPerDelivery,
      peer_cpu_ratio: two(ours.cpuMicrosecondsPerDelivery / theirs.cpuMicrosecondsPerDelivery),
    }),
  };
  return {
    figures,
    claim: {
      holds: figures.cpu_ratio < 1,
      result: `${figures.cpu_ratio} × the processor time of a bare server`,
    },
    rows: [
      ['fan-out, deliveries/s', figures.parley_per_second],
      ['  bare node:http, the same bytes', figures.floor_per_second],
      ['  ratio (1 = the floor; more is better)', figures.ratio],
      ['  processor time per delivery, µs', figures.parley_cpu_us],
      ['  bare node:http, µs', figures.floor_cpu_us],
      ['  ratio (less is better)', figures.cpu_ratio],
      ...(theirs
        ? ([
            ['  nginx with Nchan, µs', theirs.cpuMicrosecondsPerDelivery],
            ['  ratio to its processor time (less is better)', figures.peer_cpu_ratio ?? 0],
          ] satisfies [string, number][])
        : []),
    ],
    picture: [
      ['fan-out: parley', figures.parley_per_second],
      ['fan-out: floor', figures.floor_per_second],
    ],
  };
};

/** Says so when the peer cannot be had: the rest is measured without it. */
async function orNothing(starting: Promise<Contender>, say: Say): Promise<Contender | null> {
  try {
    return await starting;
  } catch (error) {
    say(`nginx with Nchan is not to be had here: ${String(error)}`);
    return null;
  }
}
