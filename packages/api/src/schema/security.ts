import { z } from 'zod'

const int = z.int()
const text = z.string()
const flag = z.boolean()

function shared() {
  const profile = z.strictObject({ type: text, localhostProfile: text.exactOptional() })
  return {
    appArmorProfile: profile.exactOptional(),
    runAsGroup: int.exactOptional(),
    runAsNonRoot: flag.exactOptional(),
    runAsUser: int.exactOptional(),
    seLinuxOptions: z
      .strictObject({
        level: text.exactOptional(),
        role: text.exactOptional(),
        type: text.exactOptional(),
        user: text.exactOptional(),
      })
      .exactOptional(),
    seccompProfile: profile.exactOptional(),
    windowsOptions: z
      .strictObject({
        gmsaCredentialSpec: text.exactOptional(),
        gmsaCredentialSpecName: text.exactOptional(),
        hostProcess: flag.exactOptional(),
        runAsUserName: text.exactOptional(),
      })
      .exactOptional(),
  }
}

/** `securityContext` of a container. */
export const containerSecurityContext: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  z.strictObject({
    ...shared(),
    allowPrivilegeEscalation: flag.exactOptional(),
    capabilities: z
      .strictObject({ add: z.array(text).exactOptional(), drop: z.array(text).exactOptional() })
      .exactOptional(),
    privileged: flag.exactOptional(),
    procMount: text.exactOptional(),
    readOnlyRootFilesystem: flag.exactOptional(),
  }),
)

/** `securityContext` of a pod. */
export const podSecurityContext: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  z.strictObject({
    ...shared(),
    fsGroup: int.exactOptional(),
    fsGroupChangePolicy: text.exactOptional(),
    seLinuxChangePolicy: text.exactOptional(),
    supplementalGroups: z.array(int).exactOptional(),
    supplementalGroupsPolicy: text.exactOptional(),
    sysctls: z.array(z.strictObject({ name: text, value: text })).exactOptional(),
  }),
)
