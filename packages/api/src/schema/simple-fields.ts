import { z } from 'zod'

// One of each: making a schema takes longer than using it on an object.

/** A text that may be left out. */
export const text: z.ZodExactOptional<z.ZodString> = z.string().exactOptional()
/** A list of texts that may be left out. */
export const texts: z.ZodExactOptional<z.ZodArray<z.ZodString>> = z.array(z.string()).exactOptional()
/** Texts by name that may be left out. */
export const textMap: z.ZodExactOptional<z.ZodRecord<z.ZodString, z.ZodString>> = z
  .record(z.string(), z.string())
  .exactOptional()
/** True, false or left out. */
export const flag: z.ZodExactOptional<z.ZodBoolean> = z.boolean().exactOptional()
/** A whole number of 32 bits that may be left out. */
export const int32: z.ZodExactOptional<z.ZodInt32> = z.int32().exactOptional()
/** A whole number that may be left out. */
export const int: z.ZodExactOptional<z.ZodInt> = z.int().exactOptional()
