import type { Sql } from 'postgres';

import { everywhere } from './everywhere.ts';

/**
 * Lets nodes call the functions of each server: what was granted where they were created first is not granted elsewhere. What
 * has been granted is not granted again.
 */
export async function grantFunctions(sql: Sql): Promise<void> {
  await everywhere(sql, [
    `declare
      lacking regprocedure;
    begin
      if exists (select from pg_roles where rolname = 'parley_node') then
        for lacking in
          select oid from pg_proc
          where prokind = 'f' and pronamespace = 'public'::regnamespace and pg_has_role(proowner, 'usage')
            and not has_function_privilege('parley_node', oid, 'execute')
        loop
          execute format('grant execute on function %s to parley_node', lacking);
        end loop;
      end if;
    end`,
  ]);
}
