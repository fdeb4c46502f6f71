/**
 * How every Go struct that a JobSet, a Job, a Pod and the other built-in kinds are made of behaves on the wire, by
 * `package.Name`. Each field is `name:shape`:
 *
 * | shape | meaning |
 * |---|---|
 * | `=` | a value that is kept as it is; `=!` says null to a patch when absent |
 * | `?` | a value that is left out when it is `''`, `0` or `false` |
 * | `!s` `!0` `!b` | a value that is always written: `''`, `0` or `false` when absent |
 * | `q`, `q!` | a quantity; with `!` always written (`0` when absent) |
 * | `core.Probe` | a struct; with `!` always written |
 * | `[…]` | a list of values (empty), quantities (`q`) or structs; left out when empty |
 * | `[…|key]` | a list that strategic merge joins by that key; an empty key makes a set of values |
 * | `{…}` | a map; left out when empty |
 * | `[…]!` `{…}!` | the same, but a patch says it when empty, and null when absent |
 *
 * Source: the Go types of k8s.io/api v0.36.2, sigs.k8s.io/jobset v0.12.0 and kubeflow/trainer v2.3.0, read by
 * reflection (`test/oracle/types.go`); a test compares the two.
 */
export const TYPE_TABLE: Readonly<Record<string, string>> = {
  'batch.Job': 'kind:? apiVersion:? metadata:meta.ObjectMeta! spec:batch.JobSpec! status:batch.JobStatus!',
  'batch.JobCondition': 'type:!s status:!s lastProbeTime:= lastTransitionTime:= reason:? message:?',
  'batch.JobSpec':
    'parallelism:= completions:= activeDeadlineSeconds:= podFailurePolicy:batch.PodFailurePolicy successPolicy:batch.SuccessPolicy backoffLimit:= backoffLimitPerIndex:= maxFailedIndexes:= selector:meta.LabelSelector manualSelector:= template:core.PodTemplateSpec! ttlSecondsAfterFinished:= completionMode:= suspend:= podReplacementPolicy:= managedBy:=',
  'batch.JobStatus':
    'conditions:[batch.JobCondition|type] startTime:= completionTime:= active:? succeeded:? failed:? terminating:= completedIndexes:? failedIndexes:= uncountedTerminatedPods:batch.UncountedTerminatedPods ready:=',
  'batch.JobTemplateSpec': 'metadata:meta.ObjectMeta! spec:batch.JobSpec!',
  'batch.PodFailurePolicy': 'rules:[batch.PodFailurePolicyRule]!',
  'batch.PodFailurePolicyOnExitCodesRequirement': 'containerName:= operator:!s values:[]!',
  'batch.PodFailurePolicyOnPodConditionsPattern': 'type:!s status:!s',
  'batch.PodFailurePolicyRule':
    'action:!s onExitCodes:batch.PodFailurePolicyOnExitCodesRequirement onPodConditions:[batch.PodFailurePolicyOnPodConditionsPattern]',
  'batch.SuccessPolicy': 'rules:[batch.SuccessPolicyRule]!',
  'batch.SuccessPolicyRule': 'succeededIndexes:= succeededCount:=',
  'batch.UncountedTerminatedPods': 'succeeded:[] failed:[]',
  'core.AWSElasticBlockStoreVolumeSource': 'volumeID:!s fsType:? partition:? readOnly:?',
  'core.Affinity': 'nodeAffinity:core.NodeAffinity podAffinity:core.PodAffinity podAntiAffinity:core.PodAntiAffinity',
  'core.AppArmorProfile': 'type:!s localhostProfile:=',
  'core.AttachedVolume': 'name:!s devicePath:!s',
  'core.AzureDiskVolumeSource': 'diskName:!s diskURI:!s cachingMode:= fsType:= readOnly:= kind:=',
  'core.AzureFileVolumeSource': 'secretName:!s shareName:!s readOnly:?',
  'core.CSIVolumeSource':
    'driver:!s readOnly:= fsType:= volumeAttributes:{} nodePublishSecretRef:core.LocalObjectReference',
  'core.Capabilities': 'add:[] drop:[]',
  'core.CephFSVolumeSource': 'monitors:[]! path:? user:? secretFile:? secretRef:core.LocalObjectReference readOnly:?',
  'core.CinderVolumeSource': 'volumeID:!s fsType:? readOnly:? secretRef:core.LocalObjectReference',
  'core.ClientIPConfig': 'timeoutSeconds:=',
  'core.ClusterTrustBundleProjection': 'name:= signerName:= labelSelector:meta.LabelSelector optional:= path:!s',
  'core.ConfigMap': 'kind:? apiVersion:? metadata:meta.ObjectMeta! immutable:= data:{} binaryData:{}',
  'core.ConfigMapEnvSource': 'name:? optional:=',
  'core.ConfigMapKeySelector': 'name:? key:!s optional:=',
  'core.ConfigMapNodeConfigSource': 'namespace:!s name:!s uid:? resourceVersion:? kubeletConfigKey:!s',
  'core.ConfigMapProjection': 'name:? items:[core.KeyToPath] optional:=',
  'core.ConfigMapVolumeSource': 'name:? items:[core.KeyToPath] defaultMode:= optional:=',
  'core.Container':
    'name:!s image:? command:[] args:[] workingDir:? ports:[core.ContainerPort|containerPort] envFrom:[core.EnvFromSource] env:[core.EnvVar|name] resources:core.ResourceRequirements! resizePolicy:[core.ContainerResizePolicy] restartPolicy:= restartPolicyRules:[core.ContainerRestartRule] volumeMounts:[core.VolumeMount|mountPath] volumeDevices:[core.VolumeDevice|devicePath] livenessProbe:core.Probe readinessProbe:core.Probe startupProbe:core.Probe lifecycle:core.Lifecycle terminationMessagePath:? terminationMessagePolicy:? imagePullPolicy:? securityContext:core.SecurityContext stdin:? stdinOnce:? tty:?',
  'core.ContainerExtendedResourceRequest': 'containerName:!s resourceName:!s requestName:!s',
  'core.ContainerImage': 'names:[]! sizeBytes:?',
  'core.ContainerPort': 'name:? hostPort:? containerPort:!0 protocol:? hostIP:?',
  'core.ContainerResizePolicy': 'resourceName:!s restartPolicy:!s',
  'core.ContainerRestartRule': 'action:? exitCodes:core.ContainerRestartRuleOnExitCodes',
  'core.ContainerRestartRuleOnExitCodes': 'operator:? values:[]',
  'core.ContainerState':
    'waiting:core.ContainerStateWaiting running:core.ContainerStateRunning terminated:core.ContainerStateTerminated',
  'core.ContainerStateRunning': 'startedAt:=',
  'core.ContainerStateTerminated': 'exitCode:!0 signal:? reason:? message:? startedAt:= finishedAt:= containerID:?',
  'core.ContainerStateWaiting': 'reason:? message:?',
  'core.ContainerStatus':
    'name:!s state:core.ContainerState! lastState:core.ContainerState! ready:!b restartCount:!0 image:!s imageID:!s containerID:? started:= allocatedResources:{q} resources:core.ResourceRequirements volumeMounts:[core.VolumeMountStatus|mountPath] user:core.ContainerUser allocatedResourcesStatus:[core.ResourceStatus|name] stopSignal:=',
  'core.ContainerUser': 'linux:core.LinuxContainerUser',
  'core.DaemonEndpoint': 'Port:!0',
  'core.DownwardAPIProjection': 'items:[core.DownwardAPIVolumeFile]',
  'core.DownwardAPIVolumeFile':
    'path:!s fieldRef:core.ObjectFieldSelector resourceFieldRef:core.ResourceFieldSelector mode:=',
  'core.DownwardAPIVolumeSource': 'items:[core.DownwardAPIVolumeFile] defaultMode:=',
  'core.EmptyDirVolumeSource': 'medium:? sizeLimit:q',
  'core.EnvFromSource': 'prefix:? configMapRef:core.ConfigMapEnvSource secretRef:core.SecretEnvSource',
  'core.EnvVar': 'name:!s value:? valueFrom:core.EnvVarSource',
  'core.EnvVarSource':
    'fieldRef:core.ObjectFieldSelector resourceFieldRef:core.ResourceFieldSelector configMapKeyRef:core.ConfigMapKeySelector secretKeyRef:core.SecretKeySelector fileKeyRef:core.FileKeySelector',
  'core.EphemeralContainer':
    'name:!s image:? command:[] args:[] workingDir:? ports:[core.ContainerPort|containerPort] envFrom:[core.EnvFromSource] env:[core.EnvVar|name] resources:core.ResourceRequirements! resizePolicy:[core.ContainerResizePolicy] restartPolicy:= restartPolicyRules:[core.ContainerRestartRule] volumeMounts:[core.VolumeMount|mountPath] volumeDevices:[core.VolumeDevice|devicePath] livenessProbe:core.Probe readinessProbe:core.Probe startupProbe:core.Probe lifecycle:core.Lifecycle terminationMessagePath:? terminationMessagePolicy:? imagePullPolicy:? securityContext:core.SecurityContext stdin:? stdinOnce:? tty:? targetContainerName:?',
  'core.EphemeralVolumeSource': 'volumeClaimTemplate:core.PersistentVolumeClaimTemplate',
  'core.Event':
    'kind:? apiVersion:? metadata:meta.ObjectMeta! involvedObject:core.ObjectReference! reason:? message:? source:core.EventSource! firstTimestamp:= lastTimestamp:= count:? type:? eventTime:= series:core.EventSeries action:? related:core.ObjectReference reportingComponent:!s reportingInstance:!s',
  'core.EventSeries': 'count:? lastObservedTime:=',
  'core.EventSource': 'component:? host:?',
  'core.ExecAction': 'command:[]',
  'core.FCVolumeSource': 'targetWWNs:[] lun:= fsType:? readOnly:? wwids:[]',
  'core.FileKeySelector': 'volumeName:!s path:!s key:!s optional:=',
  'core.FlexVolumeSource': 'driver:!s fsType:? secretRef:core.LocalObjectReference readOnly:? options:{}',
  'core.FlockerVolumeSource': 'datasetName:? datasetUUID:?',
  'core.GCEPersistentDiskVolumeSource': 'pdName:!s fsType:? partition:? readOnly:?',
  'core.GRPCAction': 'port:!0 service:=!',
  'core.GitRepoVolumeSource': 'repository:!s revision:? directory:?',
  'core.GlusterfsVolumeSource': 'endpoints:!s path:!s readOnly:?',
  'core.HTTPGetAction': 'path:? port:!0 host:? scheme:? httpHeaders:[core.HTTPHeader]',
  'core.HTTPHeader': 'name:!s value:!s',
  'core.HostAlias': 'ip:!s hostnames:[]',
  'core.HostIP': 'ip:!s',
  'core.HostPathVolumeSource': 'path:!s type:=',
  'core.ISCSIVolumeSource':
    'targetPortal:!s iqn:!s lun:!0 iscsiInterface:? fsType:? readOnly:? portals:[] chapAuthDiscovery:? chapAuthSession:? secretRef:core.LocalObjectReference initiatorName:=',
  'core.ImageVolumeSource': 'reference:? pullPolicy:?',
  'core.ImageVolumeStatus': 'imageRef:?',
  'core.KeyToPath': 'key:!s path:!s mode:=',
  'core.Lifecycle': 'postStart:core.LifecycleHandler preStop:core.LifecycleHandler stopSignal:=',
  'core.LifecycleHandler':
    'exec:core.ExecAction httpGet:core.HTTPGetAction tcpSocket:core.TCPSocketAction sleep:core.SleepAction',
  'core.LinuxContainerUser': 'uid:!0 gid:!0 supplementalGroups:[]',
  'core.LoadBalancerIngress': 'ip:? hostname:? ipMode:= ports:[core.PortStatus]',
  'core.LoadBalancerStatus': 'ingress:[core.LoadBalancerIngress]',
  'core.LocalObjectReference': 'name:?',
  'core.ModifyVolumeStatus': 'targetVolumeAttributesClassName:? status:!s',
  'core.NFSVolumeSource': 'server:!s path:!s readOnly:?',
  'core.Namespace':
    'kind:? apiVersion:? metadata:meta.ObjectMeta! spec:core.NamespaceSpec! status:core.NamespaceStatus!',
  'core.NamespaceCondition': 'type:!s status:!s lastTransitionTime:= reason:? message:?',
  'core.NamespaceSpec': 'finalizers:[]',
  'core.NamespaceStatus': 'phase:? conditions:[core.NamespaceCondition|type]',
  'core.Node': 'kind:? apiVersion:? metadata:meta.ObjectMeta! spec:core.NodeSpec! status:core.NodeStatus!',
  'core.NodeAddress': 'type:!s address:!s',
  'core.NodeAffinity':
    'requiredDuringSchedulingIgnoredDuringExecution:core.NodeSelector preferredDuringSchedulingIgnoredDuringExecution:[core.PreferredSchedulingTerm]',
  'core.NodeAllocatableResourceClaimStatus': 'resourceClaimName:!s containers:[] resources:{q}!',
  'core.NodeCondition': 'type:!s status:!s lastHeartbeatTime:= lastTransitionTime:= reason:? message:?',
  'core.NodeConfigSource': 'configMap:core.ConfigMapNodeConfigSource',
  'core.NodeConfigStatus':
    'assigned:core.NodeConfigSource active:core.NodeConfigSource lastKnownGood:core.NodeConfigSource error:?',
  'core.NodeDaemonEndpoints': 'kubeletEndpoint:core.DaemonEndpoint!',
  'core.NodeFeatures': 'supplementalGroupsPolicy:=',
  'core.NodeRuntimeHandler': 'name:!s features:core.NodeRuntimeHandlerFeatures',
  'core.NodeRuntimeHandlerFeatures': 'recursiveReadOnlyMounts:= userNamespaces:=',
  'core.NodeSelector': 'nodeSelectorTerms:[core.NodeSelectorTerm]!',
  'core.NodeSelectorRequirement': 'key:!s operator:!s values:[]',
  'core.NodeSelectorTerm': 'matchExpressions:[core.NodeSelectorRequirement] matchFields:[core.NodeSelectorRequirement]',
  'core.NodeSpec':
    'podCIDR:? podCIDRs:[|] providerID:? unschedulable:? taints:[core.Taint] configSource:core.NodeConfigSource externalID:?',
  'core.NodeStatus':
    'capacity:{q} allocatable:{q} phase:? conditions:[core.NodeCondition|type] addresses:[core.NodeAddress|type] daemonEndpoints:core.NodeDaemonEndpoints! nodeInfo:core.NodeSystemInfo! images:[core.ContainerImage] volumesInUse:[] volumesAttached:[core.AttachedVolume] config:core.NodeConfigStatus runtimeHandlers:[core.NodeRuntimeHandler] features:core.NodeFeatures declaredFeatures:[]',
  'core.NodeSwapStatus': 'capacity:=',
  'core.NodeSystemInfo':
    'machineID:!s systemUUID:!s bootID:!s kernelVersion:!s osImage:!s containerRuntimeVersion:!s kubeletVersion:!s kubeProxyVersion:!s operatingSystem:!s architecture:!s swap:core.NodeSwapStatus',
  'core.ObjectFieldSelector': 'apiVersion:? fieldPath:!s',
  'core.ObjectReference': 'kind:? namespace:? name:? uid:? apiVersion:? resourceVersion:? fieldPath:?',
  'core.PersistentVolumeClaim':
    'kind:? apiVersion:? metadata:meta.ObjectMeta! spec:core.PersistentVolumeClaimSpec! status:core.PersistentVolumeClaimStatus!',
  'core.PersistentVolumeClaimCondition': 'type:!s status:!s lastProbeTime:= lastTransitionTime:= reason:? message:?',
  'core.PersistentVolumeClaimSpec':
    'accessModes:[] selector:meta.LabelSelector resources:core.VolumeResourceRequirements! volumeName:? storageClassName:= volumeMode:= dataSource:core.TypedLocalObjectReference dataSourceRef:core.TypedObjectReference volumeAttributesClassName:=',
  'core.PersistentVolumeClaimStatus':
    'phase:? accessModes:[] capacity:{q} conditions:[core.PersistentVolumeClaimCondition|type] allocatedResources:{q} allocatedResourceStatuses:{} currentVolumeAttributesClassName:= modifyVolumeStatus:core.ModifyVolumeStatus',
  'core.PersistentVolumeClaimTemplate': 'metadata:meta.ObjectMeta! spec:core.PersistentVolumeClaimSpec!',
  'core.PersistentVolumeClaimVolumeSource': 'claimName:!s readOnly:?',
  'core.PhotonPersistentDiskVolumeSource': 'pdID:!s fsType:?',
  'core.Pod': 'kind:? apiVersion:? metadata:meta.ObjectMeta! spec:core.PodSpec! status:core.PodStatus!',
  'core.PodAffinity':
    'requiredDuringSchedulingIgnoredDuringExecution:[core.PodAffinityTerm] preferredDuringSchedulingIgnoredDuringExecution:[core.WeightedPodAffinityTerm]',
  'core.PodAffinityTerm':
    'labelSelector:meta.LabelSelector namespaces:[] topologyKey:!s namespaceSelector:meta.LabelSelector matchLabelKeys:[] mismatchLabelKeys:[]',
  'core.PodAntiAffinity':
    'requiredDuringSchedulingIgnoredDuringExecution:[core.PodAffinityTerm] preferredDuringSchedulingIgnoredDuringExecution:[core.WeightedPodAffinityTerm]',
  'core.PodCertificateProjection':
    'signerName:? keyType:? maxExpirationSeconds:= credentialBundlePath:? keyPath:? certificateChainPath:? userAnnotations:{}',
  'core.PodCondition': 'type:!s observedGeneration:? status:!s lastProbeTime:= lastTransitionTime:= reason:? message:?',
  'core.PodDNSConfig': 'nameservers:[] searches:[] options:[core.PodDNSConfigOption]',
  'core.PodDNSConfigOption': 'name:? value:=',
  'core.PodExtendedResourceClaimStatus':
    'requestMappings:[core.ContainerExtendedResourceRequest]! resourceClaimName:!s',
  'core.PodIP': 'ip:!s',
  'core.PodOS': 'name:!s',
  'core.PodReadinessGate': 'conditionType:!s',
  'core.PodResourceClaim': 'name:!s resourceClaimName:= resourceClaimTemplateName:=',
  'core.PodResourceClaimStatus': 'name:!s resourceClaimName:=',
  'core.PodSchedulingGate': 'name:!s',
  'core.PodSchedulingGroup': 'podGroupName:=',
  'core.PodSecurityContext':
    'seLinuxOptions:core.SELinuxOptions windowsOptions:core.WindowsSecurityContextOptions runAsUser:= runAsGroup:= runAsNonRoot:= supplementalGroups:[] supplementalGroupsPolicy:= fsGroup:= sysctls:[core.Sysctl] fsGroupChangePolicy:= seccompProfile:core.SeccompProfile appArmorProfile:core.AppArmorProfile seLinuxChangePolicy:=',
  'core.PodSpec':
    'volumes:[core.Volume|name] initContainers:[core.Container|name] containers:[core.Container|name]! ephemeralContainers:[core.EphemeralContainer|name] restartPolicy:? terminationGracePeriodSeconds:= activeDeadlineSeconds:= dnsPolicy:? nodeSelector:{} serviceAccountName:? serviceAccount:? automountServiceAccountToken:= nodeName:? hostNetwork:? hostPID:? hostIPC:? shareProcessNamespace:= securityContext:core.PodSecurityContext imagePullSecrets:[core.LocalObjectReference|name] hostname:? subdomain:? affinity:core.Affinity schedulerName:? tolerations:[core.Toleration] hostAliases:[core.HostAlias|ip] priorityClassName:? priority:= dnsConfig:core.PodDNSConfig readinessGates:[core.PodReadinessGate] runtimeClassName:= enableServiceLinks:= preemptionPolicy:= overhead:{q} topologySpreadConstraints:[core.TopologySpreadConstraint|topologyKey] setHostnameAsFQDN:= os:core.PodOS hostUsers:= schedulingGates:[core.PodSchedulingGate|name] resourceClaims:[core.PodResourceClaim|name] resources:core.ResourceRequirements hostnameOverride:= schedulingGroup:core.PodSchedulingGroup',
  'core.PodStatus':
    'observedGeneration:? phase:? conditions:[core.PodCondition|type] message:? reason:? nominatedNodeName:? hostIP:? hostIPs:[core.HostIP|ip] podIP:? podIPs:[core.PodIP|ip] startTime:= initContainerStatuses:[core.ContainerStatus] containerStatuses:[core.ContainerStatus] qosClass:? ephemeralContainerStatuses:[core.ContainerStatus] resize:? resourceClaimStatuses:[core.PodResourceClaimStatus|name] extendedResourceClaimStatus:core.PodExtendedResourceClaimStatus allocatedResources:{q} resources:core.ResourceRequirements nodeAllocatableResourceClaimStatuses:[core.NodeAllocatableResourceClaimStatus]',
  'core.PodTemplateSpec': 'metadata:meta.ObjectMeta! spec:core.PodSpec!',
  'core.PortStatus': 'port:!0 protocol:!s error:=',
  'core.PortworxVolumeSource': 'volumeID:!s fsType:? readOnly:?',
  'core.PreferredSchedulingTerm': 'weight:!0 preference:core.NodeSelectorTerm!',
  'core.Probe':
    'exec:core.ExecAction httpGet:core.HTTPGetAction tcpSocket:core.TCPSocketAction grpc:core.GRPCAction initialDelaySeconds:? timeoutSeconds:? periodSeconds:? successThreshold:? failureThreshold:? terminationGracePeriodSeconds:=',
  'core.ProjectedVolumeSource': 'sources:[core.VolumeProjection]! defaultMode:=',
  'core.QuobyteVolumeSource': 'registry:!s volume:!s readOnly:? user:? group:? tenant:?',
  'core.RBDVolumeSource':
    'monitors:[]! image:!s fsType:? pool:? user:? keyring:? secretRef:core.LocalObjectReference readOnly:?',
  'core.ResourceClaim': 'name:!s request:?',
  'core.ResourceFieldSelector': 'containerName:? resource:!s divisor:q!',
  'core.ResourceHealth': 'resourceID:!s health:? message:=',
  'core.ResourceRequirements': 'limits:{q} requests:{q} claims:[core.ResourceClaim]',
  'core.ResourceStatus': 'name:!s resources:[core.ResourceHealth]',
  'core.SELinuxOptions': 'user:? role:? type:? level:?',
  'core.ScaleIOVolumeSource':
    'gateway:!s system:!s secretRef:core.LocalObjectReference sslEnabled:? protectionDomain:? storagePool:? storageMode:? volumeName:? fsType:? readOnly:?',
  'core.SeccompProfile': 'type:!s localhostProfile:=',
  'core.Secret': 'kind:? apiVersion:? metadata:meta.ObjectMeta! immutable:= data:{} stringData:{} type:?',
  'core.SecretEnvSource': 'name:? optional:=',
  'core.SecretKeySelector': 'name:? key:!s optional:=',
  'core.SecretProjection': 'name:? items:[core.KeyToPath] optional:=',
  'core.SecretVolumeSource': 'secretName:? items:[core.KeyToPath] defaultMode:= optional:=',
  'core.SecurityContext':
    'capabilities:core.Capabilities privileged:= seLinuxOptions:core.SELinuxOptions windowsOptions:core.WindowsSecurityContextOptions runAsUser:= runAsGroup:= runAsNonRoot:= readOnlyRootFilesystem:= allowPrivilegeEscalation:= procMount:= seccompProfile:core.SeccompProfile appArmorProfile:core.AppArmorProfile',
  'core.Service': 'kind:? apiVersion:? metadata:meta.ObjectMeta! spec:core.ServiceSpec! status:core.ServiceStatus!',
  'core.ServiceAccount':
    'kind:? apiVersion:? metadata:meta.ObjectMeta! secrets:[core.ObjectReference|name] imagePullSecrets:[core.LocalObjectReference] automountServiceAccountToken:=',
  'core.ServiceAccountTokenProjection': 'audience:? expirationSeconds:= path:!s',
  'core.ServicePort': 'name:? protocol:? appProtocol:= port:!0 targetPort:!0 nodePort:?',
  'core.ServiceSpec':
    'ports:[core.ServicePort|port] selector:{} clusterIP:? clusterIPs:[] type:? externalIPs:[] sessionAffinity:? loadBalancerIP:? loadBalancerSourceRanges:[] externalName:? externalTrafficPolicy:? healthCheckNodePort:? publishNotReadyAddresses:? sessionAffinityConfig:core.SessionAffinityConfig ipFamilies:[] ipFamilyPolicy:= allocateLoadBalancerNodePorts:= loadBalancerClass:= internalTrafficPolicy:= trafficDistribution:=',
  'core.ServiceStatus': 'loadBalancer:core.LoadBalancerStatus! conditions:[meta.Condition|type]',
  'core.SessionAffinityConfig': 'clientIP:core.ClientIPConfig',
  'core.SleepAction': 'seconds:!0',
  'core.StorageOSVolumeSource':
    'volumeName:? volumeNamespace:? fsType:? readOnly:? secretRef:core.LocalObjectReference',
  'core.Sysctl': 'name:!s value:!s',
  'core.TCPSocketAction': 'port:!0 host:?',
  'core.Taint': 'key:!s value:? effect:!s timeAdded:=',
  'core.Toleration': 'key:? operator:? value:? effect:? tolerationSeconds:=',
  'core.TopologySpreadConstraint':
    'maxSkew:!0 topologyKey:!s whenUnsatisfiable:!s labelSelector:meta.LabelSelector minDomains:= nodeAffinityPolicy:= nodeTaintsPolicy:= matchLabelKeys:[]',
  'core.TypedLocalObjectReference': 'apiGroup:=! kind:!s name:!s',
  'core.TypedObjectReference': 'apiGroup:=! kind:!s name:!s namespace:=',
  'core.Volume':
    'name:!s hostPath:core.HostPathVolumeSource emptyDir:core.EmptyDirVolumeSource gcePersistentDisk:core.GCEPersistentDiskVolumeSource awsElasticBlockStore:core.AWSElasticBlockStoreVolumeSource gitRepo:core.GitRepoVolumeSource secret:core.SecretVolumeSource nfs:core.NFSVolumeSource iscsi:core.ISCSIVolumeSource glusterfs:core.GlusterfsVolumeSource persistentVolumeClaim:core.PersistentVolumeClaimVolumeSource rbd:core.RBDVolumeSource flexVolume:core.FlexVolumeSource cinder:core.CinderVolumeSource cephfs:core.CephFSVolumeSource flocker:core.FlockerVolumeSource downwardAPI:core.DownwardAPIVolumeSource fc:core.FCVolumeSource azureFile:core.AzureFileVolumeSource configMap:core.ConfigMapVolumeSource vsphereVolume:core.VsphereVirtualDiskVolumeSource quobyte:core.QuobyteVolumeSource azureDisk:core.AzureDiskVolumeSource photonPersistentDisk:core.PhotonPersistentDiskVolumeSource projected:core.ProjectedVolumeSource portworxVolume:core.PortworxVolumeSource scaleIO:core.ScaleIOVolumeSource storageos:core.StorageOSVolumeSource csi:core.CSIVolumeSource ephemeral:core.EphemeralVolumeSource image:core.ImageVolumeSource',
  'core.VolumeDevice': 'name:!s devicePath:!s',
  'core.VolumeMount': 'name:!s readOnly:? recursiveReadOnly:= mountPath:!s subPath:? mountPropagation:= subPathExpr:?',
  'core.VolumeMountStatus': 'name:!s mountPath:!s readOnly:? recursiveReadOnly:= volumeStatus:core.VolumeStatus',
  'core.VolumeProjection':
    'secret:core.SecretProjection downwardAPI:core.DownwardAPIProjection configMap:core.ConfigMapProjection serviceAccountToken:core.ServiceAccountTokenProjection clusterTrustBundle:core.ClusterTrustBundleProjection podCertificate:core.PodCertificateProjection',
  'core.VolumeResourceRequirements': 'limits:{q} requests:{q}',
  'core.VolumeStatus': 'image:core.ImageVolumeStatus',
  'core.VsphereVirtualDiskVolumeSource': 'volumePath:!s fsType:? storagePolicyName:? storagePolicyID:?',
  'core.WeightedPodAffinityTerm': 'weight:!0 podAffinityTerm:core.PodAffinityTerm!',
  'core.WindowsSecurityContextOptions': 'gmsaCredentialSpecName:= gmsaCredentialSpec:= runAsUserName:= hostProcess:=',
  'jobset.Coordinator': 'replicatedJob:!s jobIndex:? podIndex:?',
  'jobset.DependsOn': 'name:!s status:!s',
  'jobset.FailurePolicy': 'maxRestarts:? restartStrategy:? rules:[jobset.FailurePolicyRule]',
  'jobset.FailurePolicyRule':
    'name:!s action:!s onJobFailureReasons:[] onJobFailureMessagePatterns:[] targetReplicatedJobs:[]',
  'jobset.JobSet': 'kind:? apiVersion:? metadata:meta.ObjectMeta! spec:jobset.JobSetSpec! status:jobset.JobSetStatus!',
  'jobset.JobSetSpec':
    'replicatedJobs:[jobset.ReplicatedJob|name] network:jobset.Network successPolicy:jobset.SuccessPolicy failurePolicy:jobset.FailurePolicy startupPolicy:jobset.StartupPolicy suspend:= coordinator:jobset.Coordinator managedBy:= ttlSecondsAfterFinished:= volumeClaimPolicies:[jobset.VolumeClaimPolicy]',
  'jobset.JobSetStatus':
    'conditions:[meta.Condition|type] restarts:!0 restartsCountTowardsMax:? terminalState:? replicatedJobsStatus:[jobset.ReplicatedJobStatus|name] previousInPlaceRestartAttempt:= currentInPlaceRestartAttempt:=',
  'jobset.Network': 'enableDNSHostnames:= subdomain:? publishNotReadyAddresses:=',
  'jobset.ReplicatedJob':
    'name:!s groupName:? template:batch.JobTemplateSpec! replicas:? dependsOn:[jobset.DependsOn|name]',
  'jobset.ReplicatedJobStatus':
    'name:!s ready:!0 succeeded:!0 failed:!0 active:!0 suspended:!0 jobRestarts:[] jobRestartsCountTowardsMax:[]',
  'jobset.StartupPolicy': 'startupPolicyOrder:!s',
  'jobset.SuccessPolicy': 'operator:!s targetReplicatedJobs:[]',
  'jobset.VolumeClaimPolicy': 'templates:[core.PersistentVolumeClaim] retentionPolicy:jobset.VolumeRetentionPolicy',
  'jobset.VolumeRetentionPolicy': 'whenDeleted:=',
  'meta.Condition': 'type:!s status:!s observedGeneration:? lastTransitionTime:= reason:!s message:!s',
  'meta.LabelSelector': 'matchLabels:{} matchExpressions:[meta.LabelSelectorRequirement]',
  'meta.LabelSelectorRequirement': 'key:!s operator:!s values:[]',
  'meta.ManagedFieldsEntry': 'manager:? operation:? apiVersion:? time:= fieldsType:? fieldsV1:= subresource:?',
  'meta.ObjectMeta':
    'name:? generateName:? namespace:? selfLink:? uid:? resourceVersion:? generation:? creationTimestamp:= deletionTimestamp:= deletionGracePeriodSeconds:= labels:{} annotations:{} ownerReferences:[meta.OwnerReference|uid] finalizers:[|] managedFields:[meta.ManagedFieldsEntry]',
  'meta.OwnerReference': 'apiVersion:!s kind:!s name:!s uid:!s controller:= blockOwnerDeletion:=',
  'trainer.ContainerPatch':
    'name:? env:[core.EnvVar] volumeMounts:[core.VolumeMount] securityContext:core.SecurityContext',
  'trainer.JobSetSpecPatch': 'replicatedJobs:[trainer.ReplicatedJobPatch]',
  'trainer.JobSpecPatch': 'template:trainer.PodTemplatePatch',
  'trainer.JobTemplatePatch': 'metadata:meta.ObjectMeta spec:trainer.JobSpecPatch',
  'trainer.PodSpecPatch':
    'serviceAccountName:= volumes:[core.Volume] initContainers:[trainer.ContainerPatch] containers:[trainer.ContainerPatch] imagePullSecrets:[core.LocalObjectReference] securityContext:core.PodSecurityContext nodeSelector:{} affinity:core.Affinity tolerations:[core.Toleration] schedulingGates:[core.PodSchedulingGate] terminationGracePeriodSeconds:=',
  'trainer.PodTemplatePatch': 'metadata:meta.ObjectMeta spec:trainer.PodSpecPatch',
  'trainer.ReplicatedJobPatch': 'name:? template:trainer.JobTemplatePatch',
}
