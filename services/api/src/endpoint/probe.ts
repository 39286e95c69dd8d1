import { type Described, usual } from './endpoint.ts';

/** What whoever runs the node asks, at every host: whether it lives, and whether it can serve. */
export interface ProbeEndpoint extends Described {
  kind: 'probe';
  auth: 'none';
  readonly isWell: (node: NodeState) => Promise<boolean>;
}

export interface NodeState {
  isDraining: boolean;
  /** Whether the database has the schema of this version. */
  readonly isMigrated: () => Promise<boolean>;
}

/** Declares a probe. */
export const probe = (declared: Pick<ProbeEndpoint, 'path' | 'summary' | 'isWell'>): ProbeEndpoint => ({
  ...usual,
  kind: 'probe',
  method: 'GET',
  auth: 'none',
  errors: [],
  params: {},
  ...declared,
});
