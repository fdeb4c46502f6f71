/** One frame of SPDY/3.1, its header block still compressed. A data frame may come in several parts; the last has `fin`. */
export type SpdyFrame =
  | {
      readonly type: 'syn-stream' | 'syn-reply' | 'headers'
      readonly streamId: number
      readonly fin: boolean
      readonly block: Uint8Array
    }
  | { readonly type: 'data'; readonly streamId: number; readonly fin: boolean; readonly chunk: Uint8Array }
  | { readonly type: 'rst-stream'; readonly streamId: number; readonly status: number }
  | { readonly type: 'goaway'; readonly lastStreamId: number; readonly status: number }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'window-update'; readonly streamId: number; readonly delta: number }
  /** Its content has no meaning here. */
  | { readonly type: 'settings' }

/** Numbers of the kinds of control frames (SPDY/3.1 §2.6). */
export const CONTROL_TYPES = {
  'syn-stream': 1,
  'syn-reply': 2,
  'rst-stream': 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  headers: 8,
  'window-update': 9,
} as const

/** Why a stream is reset (SPDY/3.1 §2.6.3). */
export const RESET = { protocolError: 1, refused: 3, cancel: 5, internalError: 6 } as const

/** The first bit of a control frame and the version behind it. */
export const CONTROL_BIT = 0x8000
export const VERSION = 3
export const FLAG_FIN = 1
/** Longest frame that the three bytes of its length can tell. */
export const MAX_FRAME_BYTES = 0xff_ff_ff
/** Stream numbers have 31 bits. */
export const ID_MASK = 0x7f_ff_ff_ff
