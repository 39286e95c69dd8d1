import type { Ground } from './nodes/ground.ts';

export interface DemoUser {
  name: string;
  email: string;
  role: string;
  password: string;
  api_key: string;
  user_id: number;
}

/** Makes the demo realm unless it is there, and says who may log in. */
export async function seedDemo(_ground: Ground): Promise<DemoUser[]> {
  return [];
}
