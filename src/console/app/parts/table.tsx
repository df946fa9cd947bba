import type { ComponentChildren } from "preact";

export interface Column<T> {
  readonly head: string;
  readonly cell: (item: T) => ComponentChildren;
}

interface RowsProps<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (item: T) => string | number;
  /** Returns the address fragment of a row. */
  readonly anchorOf?: ((item: T) => string) | undefined;
}

interface TableProps<T> extends RowsProps<T> {
  readonly isLoading: boolean;
}

/** A table with a head. On a narrow screen each row is a card. */
export function Table<T>({ columns, isLoading, ...rows }: TableProps<T>) {
  return (
    <TableFrame heads={columns.map(({ head }) => head)} isLoading={isLoading}>
      <tbody>
        <Rows columns={columns} {...rows} />
      </tbody>
    </TableFrame>
  );
}

interface TableFrameProps {
  readonly heads: readonly string[];
  readonly isLoading: boolean;
  readonly children: ComponentChildren;
}

/** The head of a table, around its rows. */
export function TableFrame({ heads, isLoading, children }: TableFrameProps) {
  return (
    <div class="table-frame">
      <table aria-busy={isLoading}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

export function Rows<T>({ columns, rows, keyOf, anchorOf }: RowsProps<T>) {
  return (
    <>
      {rows.map((row) => (
        <tr key={keyOf(row)} {...(anchorOf === undefined ? {} : { id: anchorOf(row), tabIndex: -1 })}>
          {columns.map(({ head, cell }) => (
            <td key={head} data-head={head}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </>
  );
}
