export { after, onSilence } from './after.ts';
export { backoffMs, pause } from './backoff.ts';
export { WorkStarved, runBounded } from './bounded.ts';
export { beginInTurns, takeBreak } from './breaks.ts';
export { type Clock, systemClock } from './clock.ts';
export { canSendMail, commonConfig, mailConfig, readConfig, serverConfig } from './config.ts';
export { every } from './every.ts';
export { type Caller, Demand, processDemand } from './demand.ts';
export { FairQueue } from './fair-queue.ts';
export { type Logger, createLogger } from './logger.ts';
export {
  BoundedCache,
  type MemoryBudgetName,
  type NodeRole,
  SmallCache,
  bytesOfData,
  heldMemory,
  memoryBudget,
  memoryBudgets,
  memoryReserves,
  memoryShareMax,
  mostMemoryMib,
  showMemory,
  warnOfShortMemory,
} from './memory.ts';
export { type Network, Networks, isInNetworks } from './networks.ts';
export { seal, sealedPrefix, unseal } from './seal.ts';
export { type Secrets, isMadeWith, secretsOf, withEach } from './secrets.ts';
export { exitAfter, shutdownSignal } from './shutdown.ts';
export { sum } from './sum.ts';
export { type WorkFolder, makeWorkFolder, removeLeftFolders } from './work-folder.ts';
