import { compileErrors, validate } from '@readme/openapi-parser';

/** What is wrong with an OpenAPI document; empty for a valid one. */
export async function checkDocument(document: object): Promise<string[]> {
  // Safe: it says itself what it is. The validator resolves references in place, so it is given a copy.
  const checked = await validate(structuredClone(document) as Parameters<typeof validate>[0]);
  return checked.valid ? [] : [compileErrors(checked)];
}
