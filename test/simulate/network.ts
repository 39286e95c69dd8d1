import type { Place, World } from './world.ts';

/** Returns the name of the way between two places, in either direction. */
const wayOf = (one: Place, other: Place): string =>
  one.number < other.number ? `${one.number} ${other.number}` : `${other.number} ${one.number}`;

/** The ways between places: each is late by chance, and may be cut for a while. What is under way then arrives afterwards. */
export class Network {
  readonly world: World;
  private readonly cutUntilMs = new Map<string, number>();

  constructor(world: World) {
    this.world = world;
  }

  cut(one: Place, other: Place, ms: number): void {
    const way = wayOf(one, other);
    this.cutUntilMs.set(way, Math.max(this.cutUntilMs.get(way) ?? 0, this.world.nowMs + ms));
  }

  healAll(): void {
    this.cutUntilMs.clear();
  }

  /** Returns when something arrives that is sent now. */
  arrivalMs(from: Place, to: Place): number {
    const sentMs = Math.max(this.world.nowMs, this.cutUntilMs.get(wayOf(from, to)) ?? 0);
    return sentMs + this.world.latencyMs();
  }
}

/** A connection between two places: what is sent arrives in order, or not at all once it is closed. */
export class Wire {
  /** The near side has it. What was sent before it was closed arrives at the far side all the same. */
  isOpen = true;
  private readonly network: Network;
  private readonly near: Place;
  private readonly far: Place;
  private lastToNearMs = 0;
  private lastToFarMs = 0;

  constructor(network: Network, near: Place, far: Place) {
    this.network = network;
    this.near = near;
    this.far = far;
  }

  toFar(work: () => void): void {
    this.lastToFarMs = Math.max(this.lastToFarMs, this.network.arrivalMs(this.near, this.far));
    this.network.world.at(this.far, this.lastToFarMs, work);
  }

  toNear(work: () => void): void {
    this.lastToNearMs = Math.max(this.lastToNearMs, this.network.arrivalMs(this.far, this.near));
    this.network.world.at(this.near, this.lastToNearMs, () => {
      if (this.isOpen) work();
    });
  }
}
