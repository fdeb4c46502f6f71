package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	ctrlcontroller "sigs.k8s.io/controller-runtime/pkg/controller"
	crmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Event is something that happens to an object of the cluster: Old became Object. Without Old it is new, without Object
// it is gone.
type Event struct {
	Object json.RawMessage `json:"object,omitempty"`
	Old    json.RawMessage `json:"old,omitempty"`
}

// enqueue lets the event happen to a controller that watches what upstream's runtimes ask for.
func (a *Answer) enqueue(ctx context.Context, question Question, objects []client.Object) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cluster, err := newCluster(ctx, clusterOptions{withoutCRDs: question.WithoutCRDs}, objects...)
	if err != nil {
		return err
	}
	queue := &requests{waiting: make(chan struct{}), stopped: ctx.Done()}
	watching := &watcher{client: cluster.indexed(), informers: &informers{byType: map[reflect.Type]*informer{}}}
	b := builder.TypedControllerManagedBy[reconcile.Request](watching).Named("events").
		WithOptions(ctrlcontroller.Options{
			SkipNameValidation: new(true),
			NewQueue: func(string, workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
				return queue
			},
		})
	for _, one := range cluster.runtimes {
		for _, register := range one.EventHandlerRegistrars() {
			if register != nil {
				b = register(b, watching.GetClient(), watching.GetCache())
			}
		}
	}
	if err := b.Complete(reconcile.Func(func(context.Context, ctrl.Request) (ctrl.Result, error) {
		return ctrl.Result{}, nil
	})); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- watching.controller.Start(ctx) }()
	select {
	case <-queue.waiting:
	case err := <-ended:
		return fmt.Errorf("the controller did not start: %w", err)
	}
	if err := watching.informers.happen(question.Event); err != nil {
		return err
	}
	a.Requests = queue.list()
	return nil
}

// watcher is a manager that starts nothing by itself.
type watcher struct {
	ctrl.Manager
	client     client.Client
	informers  *informers
	controller crmanager.Runnable
}

func (w *watcher) Add(runnable crmanager.Runnable) error {
	w.controller = runnable
	return nil
}
func (w *watcher) GetScheme() *apiruntime.Scheme           { return scheme }
func (w *watcher) GetConfig() *rest.Config                 { return &rest.Config{} }
func (w *watcher) GetLogger() logr.Logger                  { return logr.Discard() }
func (w *watcher) GetClient() client.Client                { return w.client }
func (w *watcher) GetCache() cache.Cache                   { return w.informers }
func (w *watcher) GetRESTMapper() meta.RESTMapper          { return w.client.RESTMapper() }
func (w *watcher) GetControllerOptions() config.Controller { return config.Controller{} }

// informers are a cache to which nothing comes but the event.
type informers struct {
	cache.Cache
	mutex  sync.Mutex
	byType map[reflect.Type]*informer
}

func (i *informers) GetInformer(_ context.Context, object client.Object, _ ...cache.InformerGetOption) (cache.Informer, error) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	kind := reflect.TypeOf(object)
	if i.byType[kind] == nil {
		i.byType[kind] = &informer{}
	}
	return i.byType[kind], nil
}

func (i *informers) WaitForCacheSync(context.Context) bool { return true }

func (i *informers) happen(event *Event) error {
	var object, old client.Object
	var err error
	if len(event.Object) > 0 {
		if object, err = decode(event.Object); err != nil {
			return err
		}
	}
	if len(event.Old) > 0 {
		if old, err = decode(event.Old); err != nil {
			return err
		}
	}
	about := object
	if about == nil {
		about = old
	}
	i.mutex.Lock()
	defer i.mutex.Unlock()
	watched := i.byType[reflect.TypeOf(about)]
	if watched == nil {
		return nil
	}
	for _, handler := range watched.handlers {
		switch {
		case old == nil:
			handler.OnAdd(object, false)
		case object == nil:
			handler.OnDelete(old)
		default:
			handler.OnUpdate(old, object)
		}
	}
	return nil
}

type informer struct {
	cache.Informer
	mutex    sync.Mutex
	handlers []toolscache.ResourceEventHandler
}

func (i *informer) AddEventHandlerWithOptions(handler toolscache.ResourceEventHandler, _ toolscache.HandlerOptions) (toolscache.ResourceEventHandlerRegistration, error) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.handlers = append(i.handlers, handler)
	return registration{}, nil
}

type registration struct {
	toolscache.ResourceEventHandlerRegistration
}

func (registration) HasSynced() bool { return true }

// requests is a queue that keeps what it is given and never hands it out.
type requests struct {
	workqueue.TypedRateLimitingInterface[reconcile.Request]
	mutex   sync.Mutex
	seen    []string
	once    sync.Once
	waiting chan struct{}
	stopped <-chan struct{}
}

func (r *requests) Add(request reconcile.Request) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if name := request.String(); !slices.Contains(r.seen, name) {
		r.seen = append(r.seen, name)
	}
}

func (r *requests) list() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	slices.Sort(r.seen)
	return r.seen
}

// Get is what the controller's workers wait in once every watch has begun.
func (r *requests) Get() (reconcile.Request, bool) {
	r.once.Do(func() { close(r.waiting) })
	<-r.stopped
	return reconcile.Request{}, true
}

func (r *requests) ShutDown()          {}
func (r *requests) ShutDownWithDrain() {}
func (r *requests) Len() int           { return 0 }
