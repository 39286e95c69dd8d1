/**
 * Loaded with --import into a node whose clock is to go wrong: each SIGUSR2 sets it to the next of these differences from
 * the true time. What measures durations (`performance.now`) goes on as it was, as on a machine whose time is stepped.
 */
const skewsMs = [90_000, -90_000, 0];
const TrueDate = Date;
let turn = -1;
const nowMs = () => TrueDate.now() + (skewsMs[turn % skewsMs.length] ?? 0);

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args: [], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? nowMs : Reflect.get(target, name, receiver)),
});
process.on('SIGUSR2', () => {
  turn += 1;
});
