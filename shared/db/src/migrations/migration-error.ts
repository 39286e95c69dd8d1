/** A migration that ended early. Its message says what happened, what is kept, and what to do. */
export class MigrationError extends Error {}
