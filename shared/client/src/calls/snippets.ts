import type { Connection } from '../connection/connect.ts';

/** Keeps a text to be used again. */
export async function createSnippet(connection: Connection, title: string, content: string): Promise<void> {
  await connection.post('/saved_snippets', { title, content });
}

export async function deleteSnippet(connection: Connection, id: number): Promise<void> {
  await connection.delete(`/saved_snippets/${id}`);
}
