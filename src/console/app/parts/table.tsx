import type { ComponentChildren } from "preact";

export interface Column<T> {
  readonly head: string;
  readonly cell: (item: T) => ComponentChildren;
}

interface TableProps<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (item: T) => string | number;
  readonly isLoading: boolean;
}

/** Rows with a head; on a narrow screen each row is a card. */
export function Table<T>({ columns, rows, keyOf, isLoading }: TableProps<T>) {
  return (
    <div class="table-frame">
      <table aria-busy={isLoading}>
        <thead>
          <tr>
            {columns.map(({ head }) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, cell }) => (
                <td key={head} data-head={head}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
