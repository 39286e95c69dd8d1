import type { Area } from '../area.ts';
import { isInstallable } from './manifest.ts';
import { isNotified } from './notified.ts';
import { isNeverStale } from './shell.ts';

/** The client as an application: it can be installed, opens without a network, is never stale, and notifies while closed. */
export const installed: Area = {
  name: 'installed',
  async check(stage) {
    await isInstallable(stage);
    await isNeverStale(stage);
    await isNotified(stage);
  },
};
