import { illnesses } from '../receiver.ts';
import { burstScenarios } from './bursts.ts';
import { failOverScenarios } from './fail-overs.ts';
import { networkScenarios } from './network.ts';
import { nodeScenarios } from './nodes.ts';
import { type Scenario, everyMs, forAWhile } from './scenario.ts';
import { redisGroupScenarios, serverScenarios } from './servers.ts';

export type { Scenario, Stage } from './scenario.ts';

export const scenarios: readonly Scenario[] = [
  ...nodeScenarios,
  {
    name: 'receiver-down',
    about: 'the service of a bot is down, answers 503, says nothing, redirects elsewhere',
    asks: true,
    everyMs,
    turnsPerRound: () => illnesses.length,
    async breakOne(stage, turn) {
      const illness = illnesses[turn % illnesses.length];
      if (!illness) throw new Error('There is no illness.');
      await stage.receiver.fallIll(illness);
      await forAWhile(stage, `the service ${illness}`, () => stage.receiver.recover());
    },
  },
  ...networkScenarios,
  {
    name: 'calm',
    about: 'nothing is broken',
    isApart: true,
    everyMs,
    turnsPerRound: () => 1,
    breakOne: () => Promise.resolve(),
  },
  ...burstScenarios,
  ...serverScenarios,
  ...failOverScenarios,
  ...redisGroupScenarios,
];
