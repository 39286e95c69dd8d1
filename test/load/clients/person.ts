import type { Recorder } from '../recorder.ts';

/** Where clients ask, and from where. */
export interface Place {
  port: number;
  address: string;
  recorder: Recorder;
}

/** Who asks. */
export interface Person {
  organization: number;
  id: number;
  authorization: string;
  host: string;
}
