export const localKubeconfig = async (): Promise<0> => 0
