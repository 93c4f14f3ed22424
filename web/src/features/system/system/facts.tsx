import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** Names and values below each other; entries without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Table variant="vertical" withRowBorders={false} verticalSpacing={4} layout="fixed" maw={720}>
      <Table.Tbody>
        {facts
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w="40%" fw={500}>
                {name}
              </Table.Th>
              <Table.Td className="digits">{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
