import { afterAll } from 'vitest';

import { closeWorld } from './world.ts';

afterAll(closeWorld);
