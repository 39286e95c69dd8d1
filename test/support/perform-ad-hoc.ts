import type { Action, AfterCommit } from '@parley/actions';
import type { Tx } from '@parley/db';
import type { Engine, Performed } from '@parley/engine';
import type { ActionResult } from '@parley/protocol';

/** An action that only a test performs. */
const adHoc = <Result>(act: (tx: Tx) => Promise<Result>): Action<object, Result> =>
  Object.assign((tx: Tx) => act(tx), { actionName: 'tests.adHoc' });

/** Performs what no action does, or more of them at once. */
export const performAdHoc = async <Result extends ActionResult & AfterCommit>(
  engine: Pick<Engine, 'perform'>,
  realmId: number,
  act: (tx: Tx) => Promise<Result>,
): Promise<Performed<Result>> => await engine.perform(realmId, adHoc(act), {});
