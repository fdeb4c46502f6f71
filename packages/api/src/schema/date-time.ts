import { z } from 'zod'
import { withServerRules } from './server-rules.ts'

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

/** A point in time as text: `2026-01-31T12:00:00Z`. */
export const dateTime: z.ZodType<string> = withServerRules(
  z.string().refine((text) => RFC_3339.test(text) && !Number.isNaN(Date.parse(text)), {
    error: ({ input }) => `expected a time like 2026-01-31T12:00:00Z, found ${JSON.stringify(input)}`,
  }),
  { schema: { type: 'string', format: 'date-time' } },
)
